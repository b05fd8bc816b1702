/** The conversion feature, as the rest of the server sees it. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { AppEnv } from '#server/platform/http/types.ts';
import { type ConversionRouteDeps, registerOwnedRoutes } from './conversion-routes.ts';
import { registerProcessRoute } from './process-route.ts';

export type { ConversionRouteDeps } from './conversion-routes.ts';
export { type ConvertProgress, type ConvertResult, convertFiles } from './convert.ts';
export { type Conversions, type ConversionsOptions, createConversions } from './create-conversions.ts';
export { exportConversionsOf, removeConversionsOf } from './export-conversions.ts';
export { findDelivered } from './find-delivered.ts';
export type { PageRange } from './intake/page-range.ts';
export { type OpenedStations, openStations } from './open-stations.ts';
export { redrawPicture } from './pages/redraw-apart.ts';
export type { Repairer } from './prove/index.ts';
export type { ReaderId } from './transcribers/index.ts';

/** POST /api/v1/process and everything under /api/v1/conversions. */
export function registerConversionRoutes(app: OpenAPIHono<AppEnv>, deps: ConversionRouteDeps): void {
  registerProcessRoute(app, deps);
  registerOwnedRoutes(app, deps);
}
