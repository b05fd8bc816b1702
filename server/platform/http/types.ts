/** What every route can rely on. */
import type { HttpBindings } from '@hono/node-server';
import type { Logger } from 'pino';

/** Who is calling. Accounts will add a second kind; everything that asks "whose is it" asks this. */
export interface Caller {
  kind: 'visitor';
  /** Opaque id from the signed visitor cookie. It alone decides who owns a conversion. */
  id: string;
  /**
   * Keyed hash of the network the call comes from (`hashNetwork`). Callers of one network take turns as one, and have
   * bounds together: a cookie costs nothing to leave away, an address does. Never decides who may see what.
   */
  turn: string;
}

/**
 * Whose turn a job takes, for queues that are fair between owners: networks take turns, and within one its visitors.
 * Neither part holds a slash.
 */
export function queueOwner(caller: Pick<Caller, 'id' | 'turn'>): string {
  return `${caller.turn}/${caller.id}`;
}

export interface AppEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    logger: Logger;
    caller: Caller;
  };
}
