/** GET /api/v1/search: words and formulas in the documents of one account. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { ApiError } from '#platform/errors.ts';
import { SearchQuery, SearchResults } from '#shared/api/search.ts';
import { createRoute } from '../../http/access.ts';
import { type AppEnv, getUser } from '../../http/types.ts';
import {
  answer,
  invalid,
  type LibraryRouteDeps,
  privateHeaders,
  problem,
  refusals,
  tags,
} from '../route-helpers.ts';
import { searchDocuments } from './search-library.ts';

/** Per account and process: someone typing fast sees the results of five searches a second. */
const searchesPerMinute = 300;

const route = createRoute('user', {
  method: 'get',
  path: '/api/v1/search',
  operationId: 'searchDocuments',
  tags,
  summary: 'Search titles, texts and formulas',
  description:
    'The trash is not searched. `/documents/{id}?line=N` opens a document at the place found. Saved text can be found within a second or two.',
  request: { query: SearchQuery },
  responses: {
    200: answer('Best first', SearchResults),
    400: invalid,
    ...refusals,
    429: problem('TOO_MANY_REQUESTS: too many searches by this account.'),
  },
});

export function registerSearchRoute(app: OpenAPIHono<AppEnv>, { db }: Pick<LibraryRouteDeps, 'db'>): void {
  const limiter = new RateLimiterMemory({ points: searchesPerMinute, duration: 60 });
  app.openapi(route, async (c) => {
    const startedMs = performance.now();
    const user = getUser(c);
    await limiter.consume(user.id).catch((refused: unknown) => {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      throw new ApiError('TOO_MANY_REQUESTS', {
        message: 'Too many searches were made just now. Please try again in a minute.',
        retryAfterSeconds: refused.msBeforeNext / 1000,
      });
    });
    const results = await searchDocuments(db, user.id, c.req.valid('query'));
    const tookMs = Math.round((performance.now() - startedMs) * 10) / 10;
    return c.json({ ...results, took_ms: tookMs }, 200, privateHeaders);
  });
}
