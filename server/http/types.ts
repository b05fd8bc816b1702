/** What every route can rely on. */
import type { HttpBindings } from '@hono/node-server';
import type { Logger } from 'pino';

interface CallerTurn {
  /**
   * Keyed hash of the network the call comes from (`hashNetwork`). Callers of one network take turns as one, and have
   * bounds together: a cookie costs nothing to leave away, an address does. Never decides who may see what.
   */
  network: string;
}

/** Nobody we know, recognised by a signed cookie. */
export interface VisitorCaller extends CallerTurn {
  kind: 'visitor';
  /** Opaque id from the signed visitor cookie: 22 characters of base64url. */
  id: string;
}

/** Somebody signed in: the bearer token was verified, the session exists and the account is not banned. */
export interface UserCaller extends CallerTurn {
  kind: 'user';
  /** The account's id, a UUID: `auth.users.id`. */
  id: string;
  email: string;
  sessionId: string;
  /** The visitor that this browser was before it signed in, proven by its cookie; null without one. */
  visitorId: string | null;
}

/** Who is calling. Everything that asks "whose is it" asks `id`, which no two callers of either kind share. */
export type Caller = VisitorCaller | UserCaller;

/**
 * The ids whose things a caller may see and change: its own, and for somebody signed in those of the visitor that the
 * same browser was before. What a visitor began stays the visitor's and nobody's account: signed out again, the
 * browser still has it; signed in as somebody else, no account has gained it.
 */
export function ownerIds(caller: Caller): readonly string[] {
  return caller.kind === 'user' && caller.visitorId !== null ? [caller.id, caller.visitorId] : [caller.id];
}

/** The caller of a route that is declared for `user` (access.ts). */
export function getUser(c: { get(key: 'caller'): Caller }): UserCaller {
  const caller = c.get('caller');
  if (caller.kind !== 'user') throw new Error('this route has to be declared for users');
  return caller;
}

/**
 * Whose turn a job takes, for queues that are fair between owners: networks take turns, and within one its visitors.
 * Neither part holds a slash.
 */
export function queueOwner(caller: Pick<Caller, 'id' | 'network'>): string {
  return `${caller.network}/${caller.id}`;
}

export interface VerifyOptions {
  /** While the database cannot be asked whether session and account still stand, the token's own word counts. */
  withoutDatabase?: boolean;
}

export interface IdentifyCaller {
  /** Whoever calls; a newcomer becomes a visitor and gets a cookie. @throws ApiError UNAUTHORIZED, USER_BANNED */
  anyCaller(options?: VerifyOptions): Promise<Caller>;
  /** @throws ApiError UNAUTHORIZED without a session that stands, USER_BANNED */
  signedInUser(): Promise<UserCaller>;
}

export interface AppEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    logger: Logger;
    /** Set by the route's declaration of access (access.ts); a route open to anyone has none. */
    caller: Caller;
    /** How a declaration finds out who calls (identify-caller.ts). */
    identify: IdentifyCaller;
  };
}
