/** What every route can rely on. */
import type { HttpBindings } from '@hono/node-server';
import type { Logger } from 'pino';

interface CallerTurn {
  /**
   * Keyed hash of the network the call comes from (`hashNetwork`). Callers of one network take turns as one,
   * and share limits: a cookie is easily dropped, an address is not. Never decides who may see what.
   */
  network: string;
}

/** An unknown person, recognised by a signed cookie. */
interface VisitorCaller extends CallerTurn {
  kind: 'visitor';
  /** Opaque id from the signed visitor cookie: 22 characters of base64url. */
  id: string;
}

/** A signed-in person: the bearer token was verified, the session exists and the account is not banned. */
export interface UserCaller extends CallerTurn {
  kind: 'user';
  /** The account's id, a UUID: `auth.users.id`. */
  id: string;
  email: string;
  sessionId: string;
  /** The visitor that this browser was before signing in, proven by its cookie; null without one. */
  visitorId: string | null;
}

/** The caller. Ownership is decided by `id`, which no two callers of either kind share. */
export type Caller = VisitorCaller | UserCaller;

/**
 * The ids whose things a caller may see and change: its own and, for a signed-in caller, those of the visitor
 * that the same browser was before. What a visitor began stays the visitor's and never becomes an account's:
 * after signing out, the browser still has it; after signing in as somebody else, no account has gained it.
 */
export function ownerIds(caller: Caller): readonly string[] {
  return caller.kind === 'user' && caller.visitorId !== null ? [caller.id, caller.visitorId] : [caller.id];
}

/** The caller of a route declared for `user` (access.ts). */
export function getUser(c: { get(key: 'caller'): Caller }): UserCaller {
  const caller = c.get('caller');
  if (caller.kind !== 'user') throw new Error('this route has to be declared for users');
  return caller;
}

/**
 * Whose turn a job takes, in queues that are fair between owners: networks take turns, and within one its
 * callers. Neither part contains a slash.
 */
export function queueOwner(caller: Pick<Caller, 'id' | 'network'>): string {
  return `${caller.network}/${caller.id}`;
}

export interface VerifyOptions {
  /** Accept the token alone while the database cannot confirm session and account. */
  withoutDatabase?: boolean;
}

interface IdentifyCaller {
  /** Any caller; a new one becomes a visitor and gets a cookie. @throws ApiError UNAUTHORIZED, USER_BANNED */
  anyCaller(options?: VerifyOptions): Promise<Caller>;
  /** @throws ApiError UNAUTHORIZED without a valid session, USER_BANNED */
  signedInUser(): Promise<UserCaller>;
}

export interface AppEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    logger: Logger;
    /** Set by the route's access declaration (access.ts); absent on routes open to anyone. */
    caller: Caller;
    /** How a declaration identifies the caller (identify-caller.ts). */
    identify: IdentifyCaller;
  };
}
