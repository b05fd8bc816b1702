/** The conversion feature's interface for the rest of the server. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { AppEnv } from '#server/http/types.ts';
import { type ConversionRouteDeps, registerOwnedRoutes } from './http/conversion-routes.ts';
import { registerProcessRoute } from './http/process-route.ts';

export type { ReaderId } from '#reading/index.ts';
export { redrawPicture } from '#reading/index.ts';
export { createConversions } from './create-conversions.ts';
export type { ConversionRouteDeps } from './http/conversion-routes.ts';
export { exportConversionsOf, removeConversionsOf } from './http/export-conversions.ts';
export { findDelivered } from './http/find-delivered.ts';
export { type ConvertProgress, type ConvertResult, convertFiles } from './stations/convert.ts';
export { openStations } from './stations/open-stations.ts';
export type { PageRange } from './stations/page-range.ts';

/** POST /api/v1/process and everything under /api/v1/conversions. */
export function registerConversionRoutes(app: OpenAPIHono<AppEnv>, deps: ConversionRouteDeps): void {
  registerProcessRoute(app, deps);
  registerOwnedRoutes(app, deps);
}
