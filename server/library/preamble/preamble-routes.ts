/** Routes on the personal preamble, used in all of a user's documents. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import { ApiError } from '#platform/errors.ts';
import { createRoute } from '#server/http/access.ts';
import { type AppEnv, getUser, queueOwner } from '#server/http/types.ts';
import { PersonalPreamble, PreambleConflict, PreambleRefused, PreambleSave } from '#shared/api/exchange.ts';
import { requireCompiled } from '#typesetting/index.ts';
import {
  answer,
  invalid,
  jsonBody,
  type LibraryRouteDeps,
  privateHeaders,
  problem,
  refusals,
  tags,
} from '../route-helpers.ts';
import { checkPreamble } from './check-preamble.ts';
import { getPersonalPreamble, savePersonalPreamble } from './personal-preamble.ts';

const path = '/api/v1/preamble';

const routes = {
  get: createRoute('user', {
    method: 'get',
    path,
    operationId: 'getPersonalPreamble',
    tags,
    summary: 'Your own preamble and notation',
    description: 'The start of new documents and conversions, and your notation for the reader.',
    responses: { 200: answer('Before the first save: empty, with version 0', PersonalPreamble), ...refusals },
  }),
  put: createRoute('user', {
    method: 'put',
    path,
    operationId: 'savePersonalPreamble',
    tags,
    summary: 'Save your own preamble and notation',
    description: 'Compiled first, with each symbol used once: what would break documents is rejected.',
    request: jsonBody(PreambleSave),
    responses: {
      200: answer('As saved', PersonalPreamble),
      400: invalid,
      ...refusals,
      409: answer('VERSION_CONFLICT, with the current one: nothing was overwritten', PreambleConflict),
      422: answer(
        'COMPILATION_FAILED: nothing was saved; `refused` lists the lines and symbols',
        PreambleRefused,
      ),
      429: problem('TOO_MANY_REQUESTS: this account has too many compiles waiting'),
      503: problem('BUSY, with Retry-After'),
    },
  }),
};

export function registerPreambleRoutes(app: OpenAPIHono<AppEnv>, deps: LibraryRouteDeps): void {
  const { db, typesetter } = deps;

  app.openapi(routes.get, async (c) =>
    c.json(await getPersonalPreamble(db, getUser(c).id), 200, privateHeaders),
  );

  app.openapi(routes.put, async (c) => {
    const user = getUser(c);
    const { base_version, ...content } = c.req.valid('json');
    const conflict = (current: PersonalPreamble) =>
      c.json({ ...new ApiError('VERSION_CONFLICT').toObject(), current }, 409, privateHeaders);
    const current = await getPersonalPreamble(db, user.id);
    if (current.version !== base_version) return conflict(current);
    const check = { typesetter, owner: queueOwner(user), signal: c.req.raw.signal };
    const verdict = await checkPreamble(content, check);
    switch (verdict.kind) {
      case 'unknown':
        requireCompiled(verdict.result, 'server');
        throw new Error('what was refused did not compile');
      case 'bad': {
        const [first] = verdict.refused;
        const place = first!.in === 'preamble' ? `Line ${first!.place}` : `Notation ${first!.place}`;
        const error = new ApiError('COMPILATION_FAILED', { message: `${place}: ${first!.message}` });
        return c.json({ ...error.toObject(), refused: verdict.refused }, 422, privateHeaders);
      }
      case 'good': {
        const outcome = await savePersonalPreamble(db, user.id, base_version, content);
        return outcome.kind === 'saved'
          ? c.json(outcome.saved, 200, privateHeaders)
          : conflict(outcome.current);
      }
    }
  });
}
