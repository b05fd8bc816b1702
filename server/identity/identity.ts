/**
 * What the rest of the product knows of accounts. Two backends stand behind it: the embedded one, which speaks
 * Supabase's protocol over our PostgreSQL, and a Supabase elsewhere that the browser talks to directly.
 */
import type { Server } from 'node:http';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { AppEnv, VerifyOptions } from '#server/http/types.ts';

/** A bearer token that holds, of a session that exists and an account that is not banned. */
export interface SignedInUser {
  /** `auth.users.id`, a UUID. */
  id: string;
  email: string;
  sessionId: string;
}

/**
 * Why a bearer token was refused. `banned` has a sentence of its own (specification, section 8);
 * `second-factor-missing`: the account has one, and this session has not given it yet.
 */
export type TokenRefusal = 'invalid' | 'expired' | 'session-gone' | 'banned' | 'second-factor-missing';

export type TokenVerdict = { ok: true; user: SignedInUser } | { ok: false; reason: TokenRefusal };

/** What the browser's client needs (GET /api/v1/config). */
export interface PublicIdentitySettings {
  /** Base address of /auth/v1, /rest/v1 and /realtime/v1. */
  url: string;
  /** The key of the role `anon`. */
  anon_key: string;
  /** Sign-in methods that are switched on. */
  providers: { email: boolean; google: boolean };
}

/** One sign-in of an account, for its sessions list. */
export interface SessionSummary {
  id: string;
  createdAt: Date;
  refreshedAt: Date | null;
  userAgent: string | null;
}

export interface AccountSummary {
  id: string;
  email: string;
  createdAt: Date;
  confirmedAt: Date | null;
  lastSignInAt: Date | null;
  bannedUntil: Date | null;
  providers: string[];
}

/** Operator's and owner's view of accounts, over `auth.*` tables: works with both backends. */
export interface Accounts {
  findByEmail(email: string): Promise<AccountSummary | null>;
  findById(id: string): Promise<AccountSummary | null>;
  list(options: { limit: number; offset: number }): Promise<AccountSummary[]>;
  /** @throws Error with a sentence when the address is taken, refused by the sign-up rules, or the password is weak. */
  create(options: { email: string; password: string; isConfirmed: boolean }): Promise<AccountSummary>;
  /** Without the mail. Of several sign-ups with different passwords none is taken: `keepsPassword` is false. */
  confirm(id: string): Promise<{ keepsPassword: boolean }>;
  /** Ends every session too. `until` null: for good. */
  ban(id: string, until: Date | null): Promise<void>;
  unban(id: string): Promise<void>;
  /** For who has lost their authenticator app. Ends every session too. @returns how many apps were asked for */
  removeFactors(id: string): Promise<number>;
  /** Removes the account with its sessions and personal data. */
  remove(id: string): Promise<void>;
  listSessions(userId: string): Promise<SessionSummary[]>;
  endSession(userId: string, sessionId: string): Promise<void>;
}

export interface Identity {
  publicSettings: PublicIdentitySettings;
  /** Verifies offline by the key set (cached 10 minutes), then asks the database whether session and account still stand. */
  verifyToken(token: string, options?: VerifyOptions): Promise<TokenVerdict>;
  accounts: Accounts;
  /**
   * A new key signs access tokens from now on; other processes notice within 10 minutes. Revoked keys are published no
   * more: their tokens are refused, sessions go on with the next refresh.
   * @throws Error with a Supabase elsewhere, whose keys are its own
   */
  rotateKeys(options: { shouldRevoke: boolean }): Promise<void>;
  /**
   * Seals what a former SECRET_KEY has sealed with the present one. May be cut short and repeated.
   * @returns how many were changed, and how many no key opens
   */
  reseal(): Promise<{ resealed: number; lost: number }>;
  /** Mounts /auth/v1 and /rest/v1; nothing with a Supabase elsewhere. */
  registerRoutes(app: OpenAPIHono<AppEnv>): void;
  /** Serves /realtime/v1/websocket; nothing with a Supabase elsewhere. */
  attachRealtime(server: Server): void;
  /** Ends the sockets of attachRealtime, for which a server that stops listening would wait. */
  endStreams(): void;
  close(): Promise<void>;
}
