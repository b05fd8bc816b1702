/** What every route can rely on. */
import type { HttpBindings } from '@hono/node-server';
import type { Logger } from 'pino';

/** Who is calling. Accounts will add a second kind; everything that asks "whose is it" asks this. */
export interface Caller {
  kind: 'visitor';
  /** Opaque id from the signed visitor cookie; owns conversions, and its jobs share one place in the queues. */
  id: string;
}

export interface AppEnv {
  Bindings: HttpBindings;
  Variables: {
    requestId: string;
    logger: Logger;
    caller: Caller;
  };
}
