/** Calls about one's own account that the sign-in protocol lacks: sessions, export, deletion. */
import { type OpenAPIHono, z } from '@hono/zod-openapi';
import type { Logger } from 'pino';
import { ApiError, invalidInput } from '#platform/errors.ts';
import { zipFiles } from '#platform/zip-files.ts';
import type { Database } from '#server/database/database.ts';
import { createRoute } from '#server/http/access.ts';
import { problem, refusals } from '#server/http/answer/describe-answers.ts';
import { toBody } from '#server/http/answer/stream-body.ts';
import type { AppEnv, Caller, UserCaller } from '#server/http/types.ts';
import type { Accounts } from '#server/identity/index.ts';
import type { Storage } from '#server/storage/storage.ts';
import { AccountDeletion, AccountSessions } from '#shared/api/account.ts';
import { deleteAccount } from './delete-account.ts';
import { exportAccount } from './export-account.ts';
import { requireFreshSignIn } from './require-fresh-sign-in.ts';

export interface AccountRouteDeps {
  db: Database;
  storage: Storage;
  accounts: Accounts;
  /** Notifies the owner that the account has been deleted. */
  sendNotice: (email: string) => Promise<void>;
  logger: Logger;
}

const tags = ['Account'];

const routes = {
  sessions: createRoute('user', {
    method: 'get',
    path: '/api/v1/account/sessions',
    operationId: 'listSessions',
    tags,
    summary: 'Where this account is signed in',
    responses: {
      200: {
        description: 'Last used first',
        content: { 'application/json': { schema: AccountSessions } },
      },
      ...refusals,
    },
  }),
  endSession: createRoute('user', {
    method: 'delete',
    path: '/api/v1/account/sessions/{id}',
    operationId: 'endSession',
    tags,
    summary: 'Sign out one device',
    request: { params: z.object({ id: z.string() }) },
    responses: {
      204: { description: 'The session has ended.' },
      ...refusals,
      404: problem('NOT_FOUND: this account has no such session.'),
    },
  }),
  export: createRoute('user', {
    method: 'get',
    path: '/api/v1/account/export',
    operationId: 'exportAccount',
    tags,
    summary: 'Everything stored about this account, in one archive',
    responses: {
      200: {
        description: 'The archive; its README.txt explains the contents.',
        content: { 'application/zip': { schema: z.string().meta({ format: 'binary' }) } },
      },
      ...refusals,
      429: problem('TOO_MANY_REQUESTS: an export of this account is already being created.'),
    },
  }),
  delete: createRoute('user', {
    method: 'delete',
    path: '/api/v1/account',
    operationId: 'deleteAccount',
    tags,
    summary: 'Delete this account',
    description:
      'Conversions, files, sessions and personal data are deleted at once. Purchase records are kept for as long as the law requires, without personal data. The session must be recent: sign in again just before.',
    request: { body: { required: true, content: { 'application/json': { schema: AccountDeletion } } } },
    responses: {
      204: { description: 'The account is being deleted; this cannot be cancelled.' },
      400: problem('INVALID_INPUT: `confirm` is not the address of the account.'),
      401: refusals[401],
      403: problem('USER_BANNED; FRESH_SIGN_IN_REQUIRED: the session is too old.'),
    },
  }),
};

const privateHeaders = { 'Cache-Control': 'private, no-store' };

export function registerAccountRoutes(app: OpenAPIHono<AppEnv>, deps: AccountRouteDeps): void {
  const { db, accounts } = deps;
  const exporting = new Set<string>();

  app.openapi(routes.sessions, async (c) => {
    const user = userOf(c.get('caller'));
    const sessions = (await accounts.listSessions(user.id))
      .map((session) => ({
        id: session.id,
        created_at: session.createdAt.toISOString(),
        refreshed_at: session.refreshedAt?.toISOString() ?? null,
        user_agent: session.userAgent,
        is_current: session.id === user.sessionId,
      }))
      .sort((a, b) => (b.refreshed_at ?? b.created_at).localeCompare(a.refreshed_at ?? a.created_at));
    return c.json({ sessions }, 200, privateHeaders);
  });

  app.openapi(routes.endSession, async (c) => {
    const user = userOf(c.get('caller'));
    const { id } = c.req.valid('param');
    const own = await accounts.listSessions(user.id);
    if (!own.some((session) => session.id === id))
      throw new ApiError('NOT_FOUND', { message: 'There is no such session.' });
    await accounts.endSession(user.id, id);
    return c.body(null, 204);
  });

  app.openapi(routes.export, async (c) => {
    const user = userOf(c.get('caller'));
    if (exporting.has(user.id))
      throw new ApiError('TOO_MANY_REQUESTS', {
        message: 'An export of your account is already being created.',
        retryAfterSeconds: 30,
      });
    exporting.add(user.id);
    const chunks = zipFiles(exportAccount(deps, user.id));
    return c.body(
      toBody(chunks, () => exporting.delete(user.id)),
      200,
      {
        ...privateHeaders,
        'Content-Type': 'application/zip',
        'Content-Disposition': 'attachment; filename="inkproof-export.zip"',
      },
    );
  });

  app.openapi(routes.delete, async (c) => {
    const user = userOf(c.get('caller'));
    await requireFreshSignIn(db, user);
    if (c.req.valid('json').confirm.toLowerCase() !== user.email.toLowerCase())
      throw invalidInput('This is not the address of your account. Type it as you see it above.');
    await deleteAccount({ ...deps, logger: c.get('logger') }, user);
    return c.body(null, 204);
  });
}

/** The access declaration guarantees this; the check is for the compiler. */
function userOf(caller: Caller): UserCaller {
  if (caller.kind !== 'user') throw new ApiError('UNAUTHORIZED');
  return caller;
}
