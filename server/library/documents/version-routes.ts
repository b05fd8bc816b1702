/** Routes on a document's text and history. Owner only. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import {
  Comparison,
  LatexSave,
  Version,
  VersionList,
  VersionName,
  VersionPair,
  VersionRestore,
  Versions,
} from '#shared/api/library.ts';
import { createRoute } from '../../http/access.ts';
import { type AppEnv, getUser } from '../../http/types.ts';
import {
  answer,
  IdParams,
  invalid,
  jsonBody,
  type LibraryRouteDeps,
  NumberParams,
  notFound,
  privateHeaders,
  refusals,
  tags,
} from '../route-helpers.ts';
import { getVersion, listVersions, nameVersion, restoreVersion } from './history.ts';
import { answerSave, saveAnswers } from './save-answers.ts';
import { saveLatex } from './save-latex.ts';

const one = '/api/v1/documents/{id}';
const versions = `${one}/versions` as const;

const routes = {
  save: createRoute('user', {
    method: 'put',
    path: `${one}/latex`,
    operationId: 'saveLatex',
    tags,
    summary: 'Save the text of a document',
    description:
      'Nothing the sender has not seen is overwritten: a change based on an older version is answered with the current text. Repeating a save with the same `save_id` gives the same answer.',
    request: { params: IdParams, ...jsonBody(LatexSave) },
    responses: saveAnswers,
  }),
  list: createRoute('user', {
    method: 'get',
    path: versions,
    operationId: 'listVersions',
    tags,
    summary: 'The history of a document',
    description:
      'All versions of the last hour, then the last of each hour for a week, then the last of each day; named ones are kept for ever.',
    request: { params: IdParams, query: VersionList },
    responses: { 200: answer('Newest first', Versions), 400: invalid, ...refusals, 404: notFound },
  }),
  get: createRoute('user', {
    method: 'get',
    path: `${versions}/{number}`,
    operationId: 'getVersion',
    tags,
    summary: 'A version with its text',
    request: { params: NumberParams },
    responses: { 200: answer('The version', Version), 400: invalid, ...refusals, 404: notFound },
  }),
  name: createRoute('user', {
    method: 'patch',
    path: `${versions}/{number}`,
    operationId: 'nameVersion',
    tags,
    summary: 'Name a version, or remove its name',
    request: { params: NumberParams, ...jsonBody(VersionName) },
    responses: { 200: answer('The version', Version), 400: invalid, ...refusals, 404: notFound },
  }),
  restore: createRoute('user', {
    method: 'post',
    path: `${versions}/{number}/restore`,
    operationId: 'restoreVersion',
    tags,
    summary: 'Restore a version',
    request: { params: NumberParams, ...jsonBody(VersionRestore) },
    responses: saveAnswers,
  }),
  compare: createRoute('user', {
    method: 'get',
    path: `${one}/compare`,
    operationId: 'compareVersions',
    tags,
    summary: 'Compare two versions: both with their text',
    request: { params: IdParams, query: VersionPair },
    responses: { 200: answer('Both', Comparison), 400: invalid, ...refusals, 404: notFound },
  }),
};

/** The body of a 409. */
export function registerVersionRoutes(app: OpenAPIHono<AppEnv>, { db }: LibraryRouteDeps): void {
  app.openapi(routes.save, async (c) => {
    const given = c.req.valid('json');
    const outcome = await saveLatex(db, getUser(c).id, c.req.valid('param').id, {
      baseVersion: given.base_version,
      latex: given.latex,
      cause: given.cause,
      sourceMap: given.source_map,
      saveId: given.save_id,
    });
    return answerSave(c, outcome);
  });
  app.openapi(routes.list, async (c) => {
    const { id } = c.req.valid('param');
    return c.json(await listVersions(db, getUser(c).id, id, c.req.valid('query')), 200, privateHeaders);
  });
  app.openapi(routes.get, async (c) => {
    const { id, number } = c.req.valid('param');
    return c.json(await getVersion(db, getUser(c).id, id, number), 200, privateHeaders);
  });
  app.openapi(routes.name, async (c) => {
    const { id, number } = c.req.valid('param');
    const { name } = c.req.valid('json');
    return c.json(await nameVersion(db, getUser(c).id, id, number, name), 200, privateHeaders);
  });
  app.openapi(routes.restore, async (c) => {
    const { id, number } = c.req.valid('param');
    const { base_version: baseVersion, save_id: saveId } = c.req.valid('json');
    const outcome = await restoreVersion(db, getUser(c).id, id, number, { baseVersion, saveId });
    return answerSave(c, outcome);
  });
  app.openapi(routes.compare, async (c) => {
    const { id } = c.req.valid('param');
    const { from, to } = c.req.valid('query');
    const user = getUser(c);
    const pair = {
      from: await getVersion(db, user.id, id, from),
      to: await getVersion(db, user.id, id, to),
    };
    return c.json(pair, 200, privateHeaders);
  });
}
