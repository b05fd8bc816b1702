/** The library, for the rest of the server. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { AppEnv } from '#server/http/types.ts';
import { registerDocumentRoutes } from './documents/document-routes.ts';
import { registerFileRoutes } from './documents/file-routes.ts';
import { registerVersionRoutes } from './documents/version-routes.ts';
import { registerExchangeRoutes } from './exchange/exchange-routes.ts';
import { registerFolderRoutes } from './folders/folder-routes.ts';
import { registerPreambleRoutes } from './preamble/preamble-routes.ts';
import type { LibraryRouteDeps } from './route-helpers.ts';
import { registerSearchRoute } from './search/search-routes.ts';
import { registerShareRoutes } from './shares/share-routes.ts';

export { readFigures, startDocumentCompiler } from './documents/compile-documents.ts';
export { getDocument } from './documents/documents.ts';
export { isDocumentThere } from './documents/watch-document.ts';
export { createExchanger, type Exchanger } from './exchange/exchanger.ts';
export { exportLibraryOf } from './export-library.ts';
export { startFileCleaner } from './files/clean-stored-files.ts';
export { getPersonalPreamble } from './preamble/personal-preamble.ts';
export { startDocumentIndexer } from './search/index.ts';
export { removeLibraryOf, startLibrarySweeper } from './sweep.ts';

/** Everything under /api/v1/documents, /api/v1/folders, /api/v1/shared, /api/v1/search, /api/v1/templates and /api/v1/preamble. */
export function registerLibrary(app: OpenAPIHono<AppEnv>, deps: LibraryRouteDeps): void {
  registerFolderRoutes(app, deps);
  registerExchangeRoutes(app, deps);
  registerPreambleRoutes(app, deps);
  registerDocumentRoutes(app, deps);
  registerVersionRoutes(app, deps);
  registerFileRoutes(app, deps);
  registerShareRoutes(app, deps);
  registerSearchRoute(app, deps);
}
