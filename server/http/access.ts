/**
 * Who may call a route. Every route declares it in its description, and the declaration enforces it: a route
 * without one cannot obtain its caller, and a test that enumerates all routes fails.
 */
import { createRoute as describeRoute, type RouteConfig } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from './types.ts';

/**
 * - `anyone`: the caller is not identified, and no cookie is set.
 * - `visitor`: signed in or not; a signed-out caller is identified by a cookie. A token, if sent, must be
 *   valid.
 * - `visitor-without-database`: the same, for work that needs no data: while the database is away, the token
 *   itself
 *   suffices.
 * - `user`: signed in only.
 * - `own-rule`: the route applies its own rule, independent of cookie and session (/metrics, /auth/v1).
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

/** For routes outside the OpenAPI document, and for those that read their own body: the first handler. */
export function allow(access: Access): MiddlewareHandler<AppEnv> {
  return gates[access];
}

/** The access that a registered route's handler declares; undefined if it declares none. */
export function findAccess(handler: object): Access | undefined {
  return declared.get(handler);
}

/** OpenAPI's `security`: any one of these suffices. */
export function describeSecurity(access: Access): Record<string, string[]>[] {
  if (access === 'user') return [{ [sessionScheme]: [] }];
  return access.startsWith('visitor') ? [{ [sessionScheme]: [] }, { [visitorScheme]: [] }, {}] : [];
}

/** zod-openapi's `createRoute`, with the access as its first argument. */
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

/** Declares all routes that `register` adds to the app, for a room that speaks a protocol with its own rules. */
export function declareAll(
  app: { routes: { handler: object }[] },
  access: Access,
  register: () => void,
): void {
  const before = app.routes.length;
  register();
  for (const { handler } of app.routes.slice(before)) declared.set(handler, access);
}
