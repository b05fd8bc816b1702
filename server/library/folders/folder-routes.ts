/** Routes on folders. Owner only. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import { Folder, FolderChange, FolderList, Folders, NewFolder } from '#shared/api/library.ts';
import { createRoute } from '../../http/access.ts';
import { type AppEnv, getUser } from '../../http/types.ts';
import {
  answer,
  IdParams,
  invalid,
  jsonBody,
  type LibraryRouteDeps,
  notFound,
  privateHeaders,
  refusals,
  tags,
} from '../route-helpers.ts';
import { createFolder, deleteFolder, getFolder, listFolders, updateFolder } from './folders.ts';

const base = '/api/v1/folders';

const routes = {
  list: createRoute('user', {
    method: 'get',
    path: base,
    operationId: 'listFolders',
    tags,
    summary: 'The folders of this account',
    request: { query: FolderList },
    responses: { 200: answer('By name', Folders), 400: invalid, ...refusals },
  }),
  create: createRoute('user', {
    method: 'post',
    path: base,
    operationId: 'createFolder',
    tags,
    summary: 'Create a folder',
    request: jsonBody(NewFolder),
    responses: { 201: answer('The folder', Folder), 400: invalid, ...refusals, 404: notFound },
  }),
  get: createRoute('user', {
    method: 'get',
    path: `${base}/{id}`,
    operationId: 'getFolder',
    tags,
    summary: 'A folder',
    request: { params: IdParams },
    responses: { 200: answer('The folder', Folder), ...refusals, 404: notFound },
  }),
  update: createRoute('user', {
    method: 'patch',
    path: `${base}/{id}`,
    operationId: 'updateFolder',
    tags,
    summary: 'Rename a folder, or move it',
    request: { params: IdParams, ...jsonBody(FolderChange) },
    responses: { 200: answer('The folder', Folder), 400: invalid, ...refusals, 404: notFound },
  }),
  delete: createRoute('user', {
    method: 'delete',
    path: `${base}/{id}`,
    operationId: 'deleteFolder',
    tags,
    summary: 'Delete a folder and those in it',
    description: 'Their documents are moved to the trash; restored ones return to the top level.',
    request: { params: IdParams },
    responses: { 204: { description: 'Deleted.' }, ...refusals, 404: notFound },
  }),
};

export function registerFolderRoutes(app: OpenAPIHono<AppEnv>, { db }: LibraryRouteDeps): void {
  app.openapi(routes.list, async (c) =>
    c.json(await listFolders(db, getUser(c).id, c.req.valid('query')), 200, privateHeaders),
  );
  app.openapi(routes.create, async (c) =>
    c.json(await createFolder(db, getUser(c).id, c.req.valid('json')), 201, privateHeaders),
  );
  app.openapi(routes.get, async (c) =>
    c.json(await getFolder(db, getUser(c).id, c.req.valid('param').id), 200, privateHeaders),
  );
  app.openapi(routes.update, async (c) => {
    const { id } = c.req.valid('param');
    return c.json(await updateFolder(db, getUser(c).id, id, c.req.valid('json')), 200, privateHeaders);
  });
  app.openapi(routes.delete, async (c) => {
    await deleteFolder(db, getUser(c).id, c.req.valid('param').id);
    return c.body(null, 204);
  });
}
