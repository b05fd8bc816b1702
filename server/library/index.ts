/** What people keep, as the rest of the server sees it. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { AppEnv } from '#server/platform/http/types.ts';
import { registerDocumentRoutes } from './document-routes.ts';
import { registerFolderRoutes } from './folder-routes.ts';
import type { LibraryRouteDeps } from './route-helpers.ts';
import { registerVersionRoutes } from './version-routes.ts';

export { removeLibraryOf, startLibrarySweeper } from './sweep.ts';

/** Everything under /api/v1/documents and /api/v1/folders. */
export function registerLibrary(app: OpenAPIHono<AppEnv>, deps: LibraryRouteDeps): void {
  registerFolderRoutes(app, deps);
  registerDocumentRoutes(app, deps);
  registerVersionRoutes(app, deps);
}
