/**
 * The interface to accounts for the rest of the product. It has two backends: the embedded one, which implements
 * Supabase's protocol on our PostgreSQL, and an external Supabase that the browser talks to directly.
 */
import type { Server } from 'node:http';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { AppEnv, VerifyOptions } from '#server/http/types.ts';

/** The user of a valid bearer token, whose session exists and whose account is not banned. */
export interface SignedInUser {
  /** `auth.users.id`, a UUID. */
  id: string;
  email: string;
  sessionId: string;
}

/**
 * Why a bearer token was refused. `banned` has its own message (specification, section 8);
 * `second-factor-missing`: the account has one that this session has not passed yet.
 */
type TokenRefusal = 'invalid' | 'expired' | 'session-ended' | 'banned' | 'second-factor-missing';

export type TokenVerdict = { ok: true; user: SignedInUser } | { ok: false; reason: TokenRefusal };

/** Settings for the browser's client (GET /api/v1/config). */
interface PublicIdentitySettings {
  /** Base address of /auth/v1, /rest/v1 and /realtime/v1. */
  url: string;
  /** The key of the role `anon`. */
  anon_key: string;
  /** The enabled sign-in methods. */
  providers: { email: boolean; google: boolean };
}

/** An entry in an account's list of sessions. */
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

/** Account management for operators and owners, over the `auth.*` tables of either backend. */
export interface Accounts {
  findByEmail(email: string): Promise<AccountSummary | null>;
  findById(id: string): Promise<AccountSummary | null>;
  list(options: { limit: number; offset: number }): Promise<AccountSummary[]>;
  /** @throws Error with a readable message if the address is taken or refused by the sign-up rules, or the password weak */
  create(options: { email: string; password: string; isConfirmed: boolean }): Promise<AccountSummary>;
  /** Confirms without a mail. Among several sign-ups with different passwords it keeps none: `keepsPassword` is false. */
  confirm(id: string): Promise<{ keepsPassword: boolean }>;
  /** Also ends every session. `until` null: permanently. */
  ban(id: string, until: Date | null): Promise<void>;
  unban(id: string): Promise<void>;
  /** For people who have lost their authenticator app. Also ends every session. @returns how many apps were removed */
  removeFactors(id: string): Promise<number>;
  /** Removes the account with its sessions and personal data. */
  remove(id: string): Promise<void>;
  listSessions(userId: string): Promise<SessionSummary[]>;
  endSession(userId: string, sessionId: string): Promise<void>;
}

export interface Identity {
  publicSettings: PublicIdentitySettings;
  /** Verifies with the cached key set (10 minutes), then checks in the database that session and account are still valid. */
  verifyToken(token: string, options?: VerifyOptions): Promise<TokenVerdict>;
  accounts: Accounts;
  /**
   * Starts signing access tokens with a new key; other processes notice within 10 minutes. Revoked keys are no longer
   * published: their tokens are refused, and sessions continue with the next refresh.
   * @throws Error with an external Supabase, which manages its own keys
   */
  rotateKeys(options: { shouldRevoke: boolean }): Promise<void>;
  /**
   * Reseals with the present SECRET_KEY what a former one has sealed. May be interrupted and repeated.
   * @returns how many were changed, and how many no key can open
   */
  reseal(): Promise<{ resealed: number; lost: number }>;
  /** Mounts /auth/v1 and /rest/v1; nothing with an external Supabase. */
  registerRoutes(app: OpenAPIHono<AppEnv>): void;
  /** Serves /realtime/v1/websocket; nothing with an external Supabase. */
  attachRealtime(server: Server): void;
  /** Ends the sockets of attachRealtime, which would otherwise keep a closing server waiting. */
  endStreams(): void;
  close(): Promise<void>;
}
