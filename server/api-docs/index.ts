/** /api/v1/openapi.json and the page that shows it, /api/docs. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { OpenAPIHono } from '@hono/zod-openapi';
import { allow } from '../http/access.ts';
import type { AppEnv } from '../http/types.ts';
import { type ApiDocument, buildApiDocument } from './build-document.ts';
import { renderApiPage } from './render-page.ts';

export { type ApiDocument, buildApiDocument } from './build-document.ts';

const stylesheet = '/api/docs/style.css';
/** The page loads only its own style sheet. */
const policy =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** Changes only with a release. */
const cacheHeaders = { 'Cache-Control': 'public, max-age=300' };

/** Registered after every other route, which it describes. */
export function registerApiDocs(app: OpenAPIHono<AppEnv>): void {
  const css = readFile(path.join(import.meta.dirname, 'style.css'), 'utf8');
  css.catch(() => {}); // each request reports it
  let document: ApiDocument | undefined;
  const getDocument = () => {
    document ??= buildApiDocument(app);
    return document;
  };

  app.get('/api/v1/openapi.json', allow('anyone'), (c) => c.json(getDocument(), 200, cacheHeaders));
  app.get('/api/docs', allow('anyone'), (c) =>
    c.html(renderApiPage(getDocument(), stylesheet), 200, {
      ...cacheHeaders,
      'Content-Security-Policy': policy,
    }),
  );
  app.get(stylesheet, allow('anyone'), async (c) =>
    c.body(await css, 200, { ...cacheHeaders, 'Content-Type': 'text/css; charset=utf-8' }),
  );
}
