/** Routes on read-only links: the owner's, and the two for anyone with a link. */

import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { NewShare, SharedDocument, Shares } from '#shared/api/library.ts';
import { createRoute } from '../../http/access.ts';
import { DownloadQuery, shownOrSaved } from '../../http/answer/attachment.ts';
import { type AppEnv, getUser } from '../../http/types.ts';
import { fileNotFound } from '../ids.ts';
import {
  answer,
  file,
  IdParams,
  invalid,
  type LibraryRouteDeps,
  notFound,
  openFile,
  privateHeaders,
  refusals,
  tags,
} from '../route-helpers.ts';
import { toFileName } from '../to-file-name.ts';
import { createShare, getShared, listShares, revokeShare } from './shares.ts';

const shares = '/api/v1/documents/{id}/shares';
const shared = '/api/v1/shared/{token}';
const TokenParams = z.object({ token: z.string() });

const routes = {
  list: createRoute('user', {
    method: 'get',
    path: shares,
    operationId: 'listShares',
    tags,
    summary: 'The links to a document',
    request: { params: IdParams },
    responses: { 200: answer('Valid links, oldest first', Shares), ...refusals, 404: notFound },
  }),
  create: createRoute('user', {
    method: 'post',
    path: shares,
    operationId: 'createShare',
    tags,
    summary: 'Create a read-only link',
    description: 'It gives access to title and PDF. The token is returned once and not stored.',
    request: { params: IdParams },
    responses: { 201: answer('The link', NewShare), 400: invalid, ...refusals, 404: notFound },
  }),
  revoke: createRoute('user', {
    method: 'delete',
    path: `${shares}/{share}`,
    operationId: 'revokeShare',
    tags,
    summary: 'Revoke a link',
    request: { params: IdParams.extend({ share: z.string() }) },
    responses: { 204: { description: 'The link no longer works.' }, ...refusals, 404: notFound },
  }),
  open: createRoute('anyone', {
    method: 'get',
    path: shared,
    operationId: 'getSharedDocument',
    tags,
    summary: 'The document behind a link',
    request: { params: TokenParams },
    responses: { 200: answer('The document', SharedDocument), 404: notFound },
  }),
  pdf: createRoute('anyone', {
    method: 'get',
    path: `${shared}/document.pdf`,
    operationId: 'getSharedPdf',
    tags,
    summary: 'The PDF behind a link',
    request: { params: TokenParams, query: DownloadQuery },
    responses: { 200: file(['application/pdf'], 'The PDF'), 404: notFound },
  }),
};

export function registerShareRoutes(app: OpenAPIHono<AppEnv>, { db, storage }: LibraryRouteDeps): void {
  app.openapi(routes.list, async (c) => {
    const { id } = c.req.valid('param');
    return c.json({ shares: await listShares(db, getUser(c).id, id) }, 200, privateHeaders);
  });
  app.openapi(routes.create, async (c) => {
    const { id } = c.req.valid('param');
    return c.json(await createShare(db, getUser(c).id, id), 201, privateHeaders);
  });
  app.openapi(routes.revoke, async (c) => {
    const { id, share } = c.req.valid('param');
    await revokeShare(db, getUser(c).id, id, share);
    return c.body(null, 204);
  });
  // for people with the link, not for search engines; the header is sent for revoked links too
  app.use('/api/v1/shared/*', async (c, next) => {
    await next();
    c.res.headers.set('X-Robots-Tag', 'noindex, nofollow');
    c.res.headers.set('Referrer-Policy', 'no-referrer');
  });
  app.openapi(routes.open, async (c) => {
    const row = await getShared(db, c.req.valid('param').token);
    const document: SharedDocument = {
      title: row.title,
      updated_at: row.updatedAt.toISOString(),
      page_count: row.pageCount,
      has_pdf: row.pdfKey !== null,
    };
    return c.json(document, 200, privateHeaders);
  });
  app.openapi(routes.pdf, async (c) => {
    const { pdfKey, title } = await getShared(db, c.req.valid('param').token);
    if (pdfKey === null) throw fileNotFound();
    return c.body(await openFile(storage, pdfKey), 200, {
      ...privateHeaders,
      'Content-Type': 'application/pdf',
      'Content-Disposition': shownOrSaved(`${toFileName(title)}.pdf`, c.req.valid('query')),
    });
  });
}
