/** The account room's interface for the rest of the server. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { AppEnv } from '#server/http/types.ts';
import { type AccountRouteDeps, registerAccountRoutes } from './account-routes.ts';
import { type CheckAddressDeps, registerCheckAddressRoute } from './check-address-route.ts';

export { deleteAccount, startDeletionSweeper } from './delete-account.ts';

export type AccountDeps = AccountRouteDeps & CheckAddressDeps;

/** Everything under /api/v1/account, and POST /api/v1/check-address. */
export function registerAccount(app: OpenAPIHono<AppEnv>, deps: AccountDeps): void {
  registerAccountRoutes(app, deps);
  registerCheckAddressRoute(app, deps);
}
