/** The OpenAPI document of all routes that the app has. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import { errorCatalogue } from '#shared/api/errors.ts';
import type { AppEnv } from '../platform/http/types.ts';

export type ApiDocument = ReturnType<OpenAPIHono<AppEnv>['getOpenAPI31Document']>;

const description = [
  'Turns notes and PDFs into LaTeX that compiles, with its PDF.',
  'Every error is answered as an ErrorObject: a code of the catalogue, the sentence a person reads, and whose doing it is.',
  `Codes: ${Object.keys(errorCatalogue).join(', ')}.`,
  'A conversion belongs to whoever sent it: the caller is known by a cookie, so a client that wants to follow its conversions keeps cookies.',
].join(' ');

/** Call it when every route has been registered. */
export function buildApiDocument(app: OpenAPIHono<AppEnv>): ApiDocument {
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Inkproof API', version: '1', description },
    servers: [{ url: '/', description: 'this installation' }],
  });
}
