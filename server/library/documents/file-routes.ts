/** Routes on a document's files: figures, images of its pages, its PDF. Owner only. */

import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { FileSave, FileVersion, FileVersions } from '#shared/api/library.ts';
import { createRoute } from '../../http/access.ts';
import { DownloadQuery, shownOrSaved } from '../../http/answer/attachment.ts';
import { type AppEnv, getUser } from '../../http/types.ts';
import { fileNotFound } from '../ids.ts';
import {
  answer,
  file,
  IdParams,
  invalid,
  jsonBody,
  type LibraryRouteDeps,
  NumberParams,
  notFound,
  openFile,
  privateHeaders,
  refusals,
  tags,
} from '../route-helpers.ts';
import { toFileName } from '../to-file-name.ts';
import {
  deleteFigure,
  deletePage,
  getFigure,
  getPage,
  putFigure,
  putPage,
  saveFileText,
} from './document-files.ts';
import { getDocument } from './documents.ts';
import { getFileVersion, listFileVersions } from './file-texts.ts';
import { answerSave, saveAnswers } from './save-answers.ts';

const one = '/api/v1/documents/{id}';
const pictures = ['image/png', 'image/jpeg'];
const files = [...pictures, 'application/pdf', 'application/octet-stream'];
const FigureParams = IdParams.extend({ name: z.string() });
const pictureBody = {
  body: { required: true as const, content: file(pictures, '').content },
};
const storedResponses = { 204: { description: 'Stored.' }, 400: invalid, ...refusals, 404: notFound };
const deletedResponses = { 204: { description: 'Deleted.' }, ...refusals, 404: notFound };

const routes = {
  putFigure: createRoute('user', {
    method: 'put',
    path: `${one}/figures/{name}`,
    operationId: 'putFigure',
    tags,
    summary: 'Add or replace a figure or another file of the document',
    description:
      'The type of a picture (PNG, JPEG or PDF) is recognised by its content; that of text files for LaTeX (.bib, .bst, .sty, .cls, .tex, .csv …) by their extension.',
    request: { params: FigureParams, body: { required: true as const, content: file(files, '').content } },
    responses: storedResponses,
  }),
  getFigure: createRoute('user', {
    method: 'get',
    path: `${one}/figures/{name}`,
    operationId: 'getDocumentFigure',
    tags,
    summary: 'A figure',
    request: { params: FigureParams },
    responses: {
      200: file(files, 'The figure'),
      ...refusals,
      404: notFound,
    },
  }),
  saveText: createRoute('user', {
    method: 'put',
    path: `${one}/figures/{name}/text`,
    operationId: 'saveFileText',
    tags,
    summary: 'Save the text of one of the document’s files',
    description:
      'Nothing the sender has not seen is overwritten: a change based on an older version is answered with the current text. Repeating the same save gives the same answer.',
    request: { params: FigureParams, ...jsonBody(FileSave) },
    responses: saveAnswers,
  }),
  versions: createRoute('user', {
    method: 'get',
    path: `${one}/figures/{name}/versions`,
    operationId: 'listFileVersions',
    tags,
    summary: 'Earlier versions of one of the document’s files',
    description:
      'For text files, including removed ones: the first and last version replaced in each minute of the last hour, in each hour of the last week, and in each day.',
    request: { params: FigureParams },
    responses: { 200: answer('Newest first', FileVersions), ...refusals, 404: notFound },
  }),
  version: createRoute('user', {
    method: 'get',
    path: `${one}/figures/{name}/versions/{ended_at}`,
    operationId: 'getFileVersion',
    tags,
    summary: 'An earlier version of one of the document’s files',
    request: { params: FigureParams.extend({ ended_at: z.iso.datetime({ offset: true }) }) },
    responses: { 200: answer('The text', FileVersion), 400: invalid, ...refusals, 404: notFound },
  }),
  deleteFigure: createRoute('user', {
    method: 'delete',
    path: `${one}/figures/{name}`,
    operationId: 'deleteFigure',
    tags,
    summary: 'Remove a figure',
    request: { params: FigureParams },
    responses: deletedResponses,
  }),
  putPage: createRoute('user', {
    method: 'put',
    path: `${one}/pages/{number}`,
    operationId: 'putDocumentPage',
    tags,
    summary: 'Store the picture of a page it was read from',
    description: 'Uploads are deleted once they have been read; to keep a page, send its picture again.',
    request: { params: NumberParams, ...pictureBody },
    responses: storedResponses,
  }),
  getPage: createRoute('user', {
    method: 'get',
    path: `${one}/pages/{number}`,
    operationId: 'getDocumentPage',
    tags,
    summary: 'The picture of a page',
    request: { params: NumberParams },
    responses: { 200: file(pictures, 'The picture'), ...refusals, 404: notFound },
  }),
  deletePage: createRoute('user', {
    method: 'delete',
    path: `${one}/pages/{number}`,
    operationId: 'deleteDocumentPage',
    tags,
    summary: 'Delete the picture of a page',
    request: { params: NumberParams },
    responses: deletedResponses,
  }),
  pdf: createRoute('user', {
    method: 'get',
    path: `${one}/document.pdf`,
    operationId: 'getDocumentPdf',
    tags,
    summary: 'The PDF of the last version that compiled',
    description:
      'Created some seconds after a save; `pdf_version` of the document says which version it shows.',
    request: { params: IdParams, query: DownloadQuery },
    responses: { 200: file(['application/pdf'], 'The PDF'), ...refusals, 404: notFound },
  }),
  thumbnail: createRoute('user', {
    method: 'get',
    path: `${one}/thumbnail.webp`,
    operationId: 'getDocumentThumbnail',
    tags,
    summary: 'A small picture of the first page',
    description: 'Of the stored PDF; `thumbnail_version` of the document says which version it shows.',
    request: { params: IdParams },
    responses: { 200: file(['image/webp'], 'The picture, 480 pixels wide'), ...refusals, 404: notFound },
  }),
};

export function registerFileRoutes(app: OpenAPIHono<AppEnv>, deps: LibraryRouteDeps): void {
  const { db, storage } = deps;

  app.openapi(routes.putFigure, async (c) => {
    const { id, name } = c.req.valid('param');
    await putFigure(deps, getUser(c).id, id, name, new Uint8Array(await c.req.arrayBuffer()));
    return c.body(null, 204);
  });
  app.openapi(routes.getFigure, async (c) => {
    const { id, name } = c.req.valid('param');
    const { key, mediaType } = await getFigure(db, getUser(c).id, id, name);
    const body = await openFile(storage, key);
    return c.body(body, 200, {
      ...privateHeaders,
      'Content-Type': mediaType,
      // browsers may show images from here, but not render or run anything else
      ...(mediaType.startsWith('image/') ? {} : { 'Content-Disposition': 'attachment' }),
    });
  });
  app.openapi(routes.saveText, async (c) => {
    const { id, name } = c.req.valid('param');
    return answerSave(c, await saveFileText(deps, getUser(c).id, id, name, c.req.valid('json')));
  });
  app.openapi(routes.versions, async (c) => {
    const { id, name } = c.req.valid('param');
    return c.json(await listFileVersions(db, getUser(c).id, id, name), 200, privateHeaders);
  });
  app.openapi(routes.version, async (c) => {
    const { id, name, ended_at } = c.req.valid('param');
    return c.json(await getFileVersion(db, getUser(c).id, id, name, ended_at), 200, privateHeaders);
  });
  app.openapi(routes.deleteFigure, async (c) => {
    const { id, name } = c.req.valid('param');
    await deleteFigure(deps, getUser(c).id, id, name);
    return c.body(null, 204);
  });
  app.openapi(routes.putPage, async (c) => {
    const { id, number } = c.req.valid('param');
    await putPage(deps, getUser(c).id, id, number, new Uint8Array(await c.req.arrayBuffer()));
    return c.body(null, 204);
  });
  app.openapi(routes.getPage, async (c) => {
    const { id, number } = c.req.valid('param');
    const { key, mediaType } = await getPage(db, getUser(c).id, id, number);
    return c.body(await openFile(storage, key), 200, { ...privateHeaders, 'Content-Type': mediaType });
  });
  app.openapi(routes.deletePage, async (c) => {
    const { id, number } = c.req.valid('param');
    await deletePage(deps, getUser(c).id, id, number);
    return c.body(null, 204);
  });
  app.openapi(routes.thumbnail, async (c) => {
    const { thumbnailKey } = await getDocument(db, getUser(c).id, c.req.valid('param').id);
    if (thumbnailKey === null) throw fileNotFound();
    const body = await openFile(storage, thumbnailKey);
    return c.body(body, 200, { ...privateHeaders, 'Content-Type': 'image/webp' });
  });
  app.openapi(routes.pdf, async (c) => {
    const { pdfKey, title } = await getDocument(db, getUser(c).id, c.req.valid('param').id);
    if (pdfKey === null) throw fileNotFound();
    return c.body(await openFile(storage, pdfKey), 200, {
      ...privateHeaders,
      'Content-Type': 'application/pdf',
      'Content-Disposition': shownOrSaved(`${toFileName(title)}.pdf`, c.req.valid('query')),
    });
  });
}
