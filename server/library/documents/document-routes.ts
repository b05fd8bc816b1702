/** Routes on documents, except their text and files. Owner only. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import {
  BulkAction,
  BulkAnswer,
  DocumentChange,
  DocumentList,
  DocumentSummary,
  Documents,
  NewDocument,
  SavedDocument,
} from '#shared/api/library.ts';
import { createRoute } from '../../http/access.ts';
import { type AppEnv, getUser, ownerIds } from '../../http/types.ts';
import { actInBulk } from '../bulk.ts';
import {
  answer,
  IdParams,
  invalid,
  jsonBody,
  type LibraryRouteDeps,
  notFound,
  privateHeaders,
  refusals,
  refusalsWithLimit,
  tags,
} from '../route-helpers.ts';
import { createDocument, duplicateDocument } from './create-document.ts';
import {
  deleteDocument,
  listDocuments,
  restoreDocument,
  showDocument,
  trashDocument,
  updateDocument,
} from './documents.ts';

const base = '/api/v1/documents';
const one = `${base}/{id}` as const;

const routes = {
  list: createRoute('user', {
    method: 'get',
    path: base,
    operationId: 'listDocuments',
    tags,
    summary: 'The documents of this account',
    request: { query: DocumentList },
    responses: { 200: answer('Without their text', Documents), 400: invalid, ...refusals },
  }),
  create: createRoute('user', {
    method: 'post',
    path: base,
    operationId: 'createDocument',
    tags,
    summary: 'Save a document',
    description:
      'From LaTeX with its figures, or from a conversion whose result still exists: LaTeX, figures and PDF.',
    request: jsonBody(NewDocument),
    responses: {
      201: answer('The document', SavedDocument),
      400: invalid,
      ...refusalsWithLimit,
      404: notFound,
    },
  }),
  bulk: createRoute('user', {
    method: 'post',
    path: `${base}/bulk`,
    operationId: 'actInBulk',
    tags,
    summary: 'Change several documents and folders at once',
    description: 'In one transaction, with a result for each item.',
    request: jsonBody(BulkAction),
    responses: {
      200: answer('Folders first, each in the order named', BulkAnswer),
      400: invalid,
      ...refusals,
      404: notFound,
    },
  }),
  get: createRoute('user', {
    method: 'get',
    path: one,
    operationId: 'getDocument',
    tags,
    summary: 'A document with its text',
    request: { params: IdParams },
    responses: { 200: answer('The document', SavedDocument), ...refusals, 404: notFound },
  }),
  update: createRoute('user', {
    method: 'patch',
    path: one,
    operationId: 'updateDocument',
    tags,
    summary: 'Rename, move or star a document, or choose its engine',
    request: { params: IdParams, ...jsonBody(DocumentChange) },
    responses: { 200: answer('The document', DocumentSummary), 400: invalid, ...refusals, 404: notFound },
  }),
  duplicate: createRoute('user', {
    method: 'post',
    path: `${one}/duplicate`,
    operationId: 'duplicateDocument',
    tags,
    summary: 'Duplicate a document',
    description: 'In the same folder, with figures and page images; history and links are not copied.',
    request: { params: IdParams },
    responses: { 201: answer('The copy', SavedDocument), ...refusalsWithLimit, 404: notFound },
  }),
  trash: createRoute('user', {
    method: 'post',
    path: `${one}/trash`,
    operationId: 'trashDocument',
    tags,
    summary: 'Put a document into the trash',
    description: 'It is deleted for good after 30 days.',
    request: { params: IdParams },
    responses: { 200: answer('The document', DocumentSummary), ...refusals, 404: notFound },
  }),
  restore: createRoute('user', {
    method: 'post',
    path: `${one}/restore`,
    operationId: 'restoreDocument',
    tags,
    summary: 'Take a document out of the trash',
    request: { params: IdParams },
    responses: { 200: answer('The document', DocumentSummary), ...refusalsWithLimit, 404: notFound },
  }),
  delete: createRoute('user', {
    method: 'delete',
    path: one,
    operationId: 'deleteDocument',
    tags,
    summary: 'Delete a document for good',
    description: 'Only from the trash. With its history, files and links.',
    request: { params: IdParams },
    responses: { 204: { description: 'Deleted.' }, 400: invalid, ...refusals, 404: notFound },
  }),
};

export function registerDocumentRoutes(app: OpenAPIHono<AppEnv>, deps: LibraryRouteDeps): void {
  const { db } = deps;

  app.openapi(routes.list, async (c) =>
    c.json(await listDocuments(db, getUser(c).id, c.req.valid('query')), 200, privateHeaders),
  );
  app.openapi(routes.create, async (c) => {
    const user = getUser(c);
    const id = await createDocument(deps, user.id, ownerIds(user), c.req.valid('json'));
    return c.json(await showDocument(db, user.id, id), 201, privateHeaders);
  });
  app.openapi(routes.bulk, async (c) => {
    const outcomes = await actInBulk(deps, getUser(c).id, c.req.valid('json'));
    return c.json({ outcomes }, 200, privateHeaders);
  });
  app.openapi(routes.get, async (c) =>
    c.json(await showDocument(db, getUser(c).id, c.req.valid('param').id), 200, privateHeaders),
  );
  app.openapi(routes.update, async (c) => {
    const { id } = c.req.valid('param');
    return c.json(await updateDocument(db, getUser(c).id, id, c.req.valid('json')), 200, privateHeaders);
  });
  app.openapi(routes.duplicate, async (c) => {
    const user = getUser(c);
    const id = await duplicateDocument(deps, user.id, c.req.valid('param').id);
    return c.json(await showDocument(db, user.id, id), 201, privateHeaders);
  });
  app.openapi(routes.trash, async (c) =>
    c.json(await trashDocument(db, getUser(c).id, c.req.valid('param').id), 200, privateHeaders),
  );
  app.openapi(routes.restore, async (c) =>
    c.json(await restoreDocument(db, getUser(c).id, c.req.valid('param').id), 200, privateHeaders),
  );
  app.openapi(routes.delete, async (c) => {
    await deleteDocument(deps, getUser(c).id, c.req.valid('param').id);
    return c.body(null, 204);
  });
}
