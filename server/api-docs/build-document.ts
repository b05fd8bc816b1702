/** The OpenAPI document of all routes that the app has. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import { errorCatalogue } from '#shared/api/errors.ts';
import { sessionScheme, visitorScheme } from '../http/access.ts';
import { visitorCookie } from '../http/request/visitor.ts';
import type { AppEnv } from '../http/types.ts';

export type ApiDocument = ReturnType<OpenAPIHono<AppEnv>['getOpenAPI31Document']>;

const description = [
  'Turns notes and PDFs into LaTeX that compiles, with its PDF.',
  'Every error is an ErrorObject: a code from the catalogue, a message for people, and who caused it.',
  `Codes: ${Object.keys(errorCatalogue).join(', ')}.`,
  'A conversion belongs to its sender: the account whose access token was sent, or else a visitor identified by a cookie. A client without an account has to keep cookies to follow its conversions.',
  'Wherever a token is required or accepted, an invalid one is answered with 401 UNAUTHORIZED and one of a banned account with 403 USER_BANNED.',
].join(' ');

/** Call this once all routes have been registered. */
export function buildApiDocument(app: OpenAPIHono<AppEnv>): ApiDocument {
  app.openAPIRegistry.registerComponent('securitySchemes', sessionScheme, {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The access token of a session.',
  });
  app.openAPIRegistry.registerComponent('securitySchemes', visitorScheme, {
    type: 'apiKey',
    in: 'cookie',
    name: visitorCookie,
    description: 'Set by the first answer to a caller without an account.',
  });
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Inkproof API', version: '1', description },
    servers: [{ url: '/', description: 'this installation' }],
  });
}
