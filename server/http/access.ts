/**
 * Who may call a route. Every route declares it where it is described, and the declaration is what enforces it: a route
 * without one has no caller to ask for, and a test that enumerates all routes fails.
 */
import { createRoute as describeRoute, type RouteConfig } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from './types.ts';

/**
 * - `anyone`: who calls is not asked, and no cookie is set.
 * - `visitor`: signed in or not; whoever is not is told apart by a cookie. A token that is sent has to be good.
 * - `visitor-without-database`: the same, for work that needs no data: while the database is away, what the token itself
 *   says is enough.
 * - `user`: signed in only.
 * - `own-rule`: the route decides by a rule of its own that neither cookie nor session is part of (/metrics, /auth/v1).
 */
export type Access = 'anyone' | 'visitor' | 'visitor-without-database' | 'user' | 'own-rule';

/** Names of the security schemes in the OpenAPI document. */
export const sessionScheme = 'session';
export const visitorScheme = 'visitor';

const declared = new WeakMap<object, Access>();

const gates: Record<Access, MiddlewareHandler<AppEnv>> = {
  anyone: (_, next) => next(),
  'own-rule': (_, next) => next(),
  visitor: async (c, next) => {
    c.set('caller', await c.get('identify').anyCaller());
    await next();
  },
  'visitor-without-database': async (c, next) => {
    c.set('caller', await c.get('identify').anyCaller({ withoutDatabase: true }));
    await next();
  },
  user: async (c, next) => {
    c.set('caller', await c.get('identify').signedInUser());
    await next();
  },
};
for (const access of Object.keys(gates) as Access[]) declared.set(gates[access], access);

/** For routes outside the OpenAPI document, and for those that read their body themselves: the first handler. */
export function allow(access: Access): MiddlewareHandler<AppEnv> {
  return gates[access];
}

/** What a handler of a registered route declares; undefined for one that declares nothing. */
export function findAccess(handler: object): Access | undefined {
  return declared.get(handler);
}

/** What OpenAPI calls `security`: any one of these suffices. */
export function describeSecurity(access: Access): Record<string, string[]>[] {
  if (access === 'user') return [{ [sessionScheme]: [] }];
  return access.startsWith('visitor') ? [{ [sessionScheme]: [] }, { [visitorScheme]: [] }, {}] : [];
}

/** `createRoute` of zod-openapi with who may call it, said first. */
export function createRoute<P extends string, R extends Omit<RouteConfig, 'path'> & { path: P }>(
  access: Access,
  route: R,
): ReturnType<typeof describeRoute<P, R & { middleware: MiddlewareHandler<AppEnv> }>> {
  return describeRoute<P, R & { middleware: MiddlewareHandler<AppEnv> }>({
    ...route,
    middleware: gates[access],
    security: describeSecurity(access),
  });
}

/** Declares all routes that `register` adds to the app, for a room that speaks a protocol with rules of its own. */
export function declareAll(
  app: { routes: { handler: object }[] },
  access: Access,
  register: () => void,
): void {
  const before = app.routes.length;
  register();
  for (const { handler } of app.routes.slice(before)) declared.set(handler, access);
}
