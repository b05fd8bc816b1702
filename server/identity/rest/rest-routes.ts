/**
 * /rest/v1/{table}: PostgREST's reads, for the tables that browsers read. Row-level security and the roles' rights
 * decide what is visible; nothing can be written here.
 */
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Logger } from 'pino';
import type { Env } from '#platform/env.ts';
import type { AppEnv } from '#server/http/types.ts';
import { answerCors } from '../auth/cors.ts';
import { identifyViewer, readAs, type Viewer, type ViewerDeps } from '../viewer.ts';
import { parseRead, RestError } from './parse-read.ts';

export interface RestDeps extends ViewerDeps {
  env: Pick<Env, 'PUBLIC_URL' | 'API_URL' | 'REDIRECT_URLS'>;
  logger: Logger;
}

const tables = new Set(['page_conversion_totals', 'user_credits']);
const oneObject = 'application/vnd.pgrst.object+json';
const knownTypes = /^(\*\/\*|application\/(json|\*|vnd\.pgrst\.(object|array)\+json))\s*(;|$)/;

export function registerRest(app: OpenAPIHono<AppEnv>, deps: RestDeps): void {
  app.use('/rest/v1/*', answerCors(deps.env));
  app.all('/rest/v1/*', async (c) => {
    c.header('Cache-Control', 'no-store');
    let viewer: Viewer = { role: 'anon' };
    try {
      viewer = await authenticate(c, deps);
      return await answerRead(c, deps, viewer);
    } catch (error) {
      return answerFault(c, toRestError(error, viewer, deps.logger));
    }
  });
}

async function authenticate(c: Context<AppEnv>, deps: RestDeps): Promise<Viewer> {
  const bearer = /^Bearer +(\S+) *$/i.exec(c.req.header('Authorization') ?? '')?.[1];
  const key = c.req.header('apikey') ?? c.req.query('apikey');
  // the key is public: requiring it keeps out stray requests, not attackers
  if (![key, bearer].some((one) => one !== undefined && deps.anonKeys.includes(one)))
    throw new RestError(401, 'PGRST301', 'No API key found in request');
  const found = await identifyViewer(bearer, deps);
  if (found.ok) return found.viewer;
  const message = found.reason === 'expired' ? 'JWT expired' : 'JWT invalid';
  c.header('WWW-Authenticate', `Bearer error="invalid_token", error_description="${message}"`);
  throw new RestError(401, 'PGRST301', message);
}

async function answerRead(c: Context<AppEnv>, deps: RestDeps, viewer: Viewer): Promise<Response> {
  const url = new URL(c.req.url);
  const table = url.pathname.slice('/rest/v1/'.length);
  if (table.startsWith('rpc/'))
    throw new RestError(404, 'PGRST202', 'Could not find the function in the schema cache');
  const profile = c.req.header('Accept-Profile') ?? 'public';
  if (profile !== 'public')
    throw new RestError(406, 'PGRST106', 'The schema must be one of the following: public');
  if (!tables.has(table))
    throw new RestError(
      404,
      'PGRST205',
      `Could not find the table 'public.${table.slice(0, 63)}' in the schema cache`,
    );
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD') {
    c.header('Allow', 'GET, HEAD, OPTIONS');
    throw new RestError(405, 'PGRST117', 'Unsupported HTTP method');
  }
  const accepted = (c.req.header('Accept') ?? '*/*').split(',').map((type) => type.trim());
  if (!accepted.some((type) => knownTypes.test(type)))
    throw new RestError(406, 'PGRST107', 'None of these media types are available');
  url.searchParams.delete('apikey');
  const read = parseRead({ table, parameters: url.searchParams, range: c.req.header('Range') });
  const isCounted = /\bcount=(exact|planned|estimated)\b/.test(c.req.header('Prefer') ?? '');

  const { body, rows, count } = await readAs(deps.pool, viewer, async (client) => {
    const found = await client.query<{ body: string; rows: number }>(
      `WITH page AS (${read.sql}) SELECT coalesce(json_agg(row_to_json(page)), '[]')::text AS body, count(*)::int AS rows FROM page`,
      read.values,
    );
    const counted = isCounted
      ? await client.query<{ count: number }>(read.countSql, read.values.slice(0, read.filterValues))
      : null;
    return { ...found.rows[0]!, count: counted?.rows[0]?.count ?? null };
  });

  const isOne = accepted.some((type) => type.startsWith(oneObject));
  if (isOne && rows !== 1)
    throw new RestError(
      406,
      'PGRST116',
      'Cannot coerce the result to a single JSON object',
      `The result contains ${rows} rows`,
    );
  if (count !== null && read.offset > 0 && read.offset >= count) {
    c.header('Content-Range', `*/${count}`);
    throw new RestError(
      416,
      'PGRST103',
      'Requested range not satisfiable',
      `An offset of ${read.offset} was requested, but there are only ${count} rows.`,
    );
  }
  const span = rows === 0 ? '*' : `${read.offset}-${read.offset + rows - 1}`;
  c.header('Content-Range', `${span}/${count ?? '*'}`);
  c.header('Content-Type', `${isOne ? oneObject : 'application/json'}; charset=utf-8`);
  const status = count !== null && rows < count ? 206 : 200;
  if (c.req.method === 'HEAD') return c.body(null, status);
  return c.body(isOne ? body.slice(1, -1).trim() : body, status);
}

function toRestError(error: unknown, viewer: Viewer, logger: Logger): RestError {
  if (error instanceof RestError) return error;
  const { code = '', message = '' } = error as { code?: string; message?: string };
  if (code === '42501') return new RestError(viewer.role === 'anon' ? 401 : 403, code, message);
  // errors in the caller's query: no such column, not a number, out of range
  if (/^(22|42)/.test(code)) return new RestError(400, code, message);
  logger.error({ err: error }, 'a read of /rest/v1 failed');
  if (code === '57014') return new RestError(500, code, 'canceling statement due to statement timeout');
  return new RestError(503, 'PGRST000', 'The database is not available right now');
}

function answerFault(c: Context<AppEnv>, error: RestError): Response {
  const { status, code, message, details } = error;
  if (status === 503) c.header('Retry-After', '10');
  if (c.req.method === 'HEAD') return c.body(null, status as ContentfulStatusCode);
  return c.json({ code, details, hint: null, message }, status as ContentfulStatusCode);
}
