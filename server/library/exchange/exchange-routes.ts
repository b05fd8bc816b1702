/** Calls that import documents, create them from templates, and export them. Owner only. */

import { readFile } from 'node:fs/promises';
import { type OpenAPIHono, z } from '@hono/zod-openapi';
import { getTemplate, templates } from '#latex/templates/index.ts';
import { describeFirstIssue } from '#platform/describe-issue.ts';
import { ApiError, invalidInput } from '#platform/errors.ts';
import { FairQueue } from '#platform/work/fair-queue.ts';
import { memoryAllowance } from '#platform/work/memory.ts';
import { takeTurn } from '#platform/work/take-turn.ts';
import { ExportQuery, Imported, ImportFields, Templates, TemplateUse } from '#shared/api/exchange.ts';
import { SavedDocument } from '#shared/api/library.ts';
import { allow, createRoute } from '../../http/access.ts';
import { attachment } from '../../http/answer/attachment.ts';
import { toBody } from '../../http/answer/stream-body.ts';
import { type AppEnv, getUser, queueOwner } from '../../http/types.ts';
import { keepDocument } from '../documents/create-document.ts';
import { showDocument } from '../documents/documents.ts';
import { requireFolder } from '../folders/folders.ts';
import { fitPersonalPreamble } from '../preamble/fit-preamble.ts';
import { getPersonalPreamble } from '../preamble/personal-preamble.ts';
import {
  answer,
  file,
  IdParams,
  invalid,
  jsonBody,
  type LibraryRouteDeps,
  notFound,
  privateHeaders,
  problem,
  refusals,
  refusalsWithLimit,
  tags,
} from '../route-helpers.ts';
import { exportForms } from './document.ts';
import { zipDocuments } from './export/zip-document.ts';
import { exportDocument, tooManyExchanges } from './export-document.ts';
import { listFolderPaths, listLibrary } from './list-library.ts';
import { receiveImport } from './receive-import.ts';

/** Most uploads and archives at a time in one process: each has a connection and an open file. */
const maxStreams = 32;
/** Most of these for one account. */
const maxStreamsPerUser = 3;

const busy = {
  429: problem(
    'TOO_MANY_REQUESTS: this account has too many in progress; Retry-After says when to try again.',
  ),
  503: problem('BUSY; Retry-After says when to come back.'),
};

const routes = {
  templates: createRoute('user', {
    method: 'get',
    path: '/api/v1/templates',
    operationId: 'listTemplates',
    tags,
    summary: 'The templates for new documents',
    responses: { 200: answer('In display order', Templates), ...refusals },
  }),
  fromTemplate: createRoute('user', {
    method: 'post',
    path: '/api/v1/documents/from-template',
    operationId: 'createFromTemplate',
    tags,
    summary: 'Create a document from a template',
    description:
      'With your own preamble and notation (`/api/v1/preamble`), except where they clash with what the template loads.',
    request: jsonBody(TemplateUse),
    responses: {
      201: answer('The document', SavedDocument),
      400: invalid,
      ...refusalsWithLimit,
      404: notFound,
    },
  }),
  import: createRoute('user', {
    method: 'post',
    path: '/api/v1/documents/import',
    operationId: 'importDocument',
    tags,
    summary: 'Import a .tex file, or a .zip of one document with its files',
    description:
      'Its files keep their folders and names; those TeX could not read are renamed, and references to them updated. If an archive has several documents, the most likely one is imported and the `others` are listed; `main` chooses one of them.',
    request: {
      body: {
        required: true as const,
        content: {
          'multipart/form-data': {
            schema: z.object({
              file: z.string().meta({ format: 'binary' }),
              folder_id: z.string().optional(),
              save_id: z.string().optional(),
              main: z.string().optional(),
            }),
          },
        },
      },
    },
    responses: {
      201: answer('The document', Imported),
      400: problem(
        'INVALID_INPUT: it contains no document, or is damaged, too large, or has paths outside itself.',
      ),
      ...refusalsWithLimit,
      404: notFound,
      ...busy,
    },
  }),
  export: createRoute('user', {
    method: 'get',
    path: '/api/v1/documents/{id}/export',
    operationId: 'exportDocument',
    tags,
    summary: 'Export a document',
    description:
      '`tex`; `zip` (with its files, compiles by plain `latexmk`); `pdf` of the current text; `docx` with Word’s own equations; `html` with MathML; `markdown`. With `doubts`, readings that still need checking are marked: `marked` in `tex` and `zip`, by a macro that prints as if it were not there; `colour` there, in `pdf`, and highlighted in `docx` and `html`. LaTeX that would not compile with its marks comes without them, and says so in its first line.',
    request: { params: IdParams, query: ExportQuery },
    responses: {
      200: file(
        [
          'application/x-tex',
          'application/zip',
          'application/pdf',
          ...Object.values(exportForms).map(({ mediaType }) => mediaType.replace(/;.*/, '')),
        ],
        'The file, named after its title',
      ),
      400: problem(
        'INVALID_INPUT: the document takes too long or too much memory to convert, or does not compile with its marks in colour.',
      ),
      ...refusals,
      404: notFound,
      408: problem('COMPILATION_TIMEOUT, for a PDF'),
      422: problem('COMPILATION_FAILED, for a PDF, with `messages` per line'),
      ...busy,
    },
  }),
  exportAll: createRoute('user', {
    method: 'get',
    path: '/api/v1/library/export',
    operationId: 'exportLibrary',
    tags,
    summary: 'All documents in one archive',
    description:
      'In their folders, each with its text, its files and the last PDF. The trash is not included.',
    responses: {
      200: file(['application/zip'], 'The archive, created while it is sent'),
      ...refusals,
      ...busy,
    },
  }),
};

export function registerExchangeRoutes(app: OpenAPIHono<AppEnv>, deps: LibraryRouteDeps): void {
  const { db, storage, typesetter, exchanger } = deps;
  const queue = new FairQueue({
    // each may have its figures in memory (25 MB), three times
    concurrency: memoryAllowance().exports,
    // two slow documents leave a place for others
    maxRunningPerOwner: 1,
    maxWaitingPerOwner: 6,
    maxWaitingPerGroup: 24,
    maxWaiting: 48,
  });
  const streams = createStreamCount();

  app.openapi(routes.templates, (c) => {
    const list = templates.map(({ id, name, description }) => ({ id, name, description }));
    return c.json({ templates: list }, 200, privateHeaders);
  });

  app.openapi(routes.fromTemplate, async (c) => {
    const user = getUser(c);
    const { template, title, ...given } = c.req.valid('json');
    const { latex, name, id } = getTemplate(template);
    const fitted = await fitPersonalPreamble(latex, await getPersonalPreamble(db, user.id), {
      typesetter,
      owner: queueOwner(user),
      signal: c.req.raw.signal,
    });
    const made = await keepDocument(
      deps,
      user.id,
      { ...given, title: title ?? (id === 'blank' ? 'Untitled document' : name), engine: null },
      { latex: fitted, figures: [], pdf: null, sourceMap: null },
    );
    return c.json(await showDocument(db, user.id, made), 201, privateHeaders);
  });

  // the body is streamed from the raw request: the validator would read it into memory
  const { middleware: _, ...description } = routes.import;
  app.openAPIRegistry.registerPath(description);
  app.post(routes.import.path, allow('user'), async (c) => {
    const user = getUser(c);
    const { signal } = c.req.raw;
    const leave = streams.enter(user.id);
    try {
      const upload = await receiveImport(c.env.incoming, signal);
      try {
        const fields = ImportFields.safeParse(upload.fields);
        if (!fields.success) throw invalidInput(describeFirstIssue(fields.error.issues));
        await requireFolder(db, user.id, fields.data.folder_id);
        const { id, ...rest } = await takeTurn(
          queue,
          { owner: queueOwner(user), signal, refusal: tooManyExchanges },
          async () => {
            const read = await exchanger.import(
              upload.displayName,
              await readFile(upload.path),
              fields.data.main || undefined,
            );
            const made = await keepDocument(
              deps,
              user.id,
              {
                folder_id: fields.data.folder_id,
                save_id: fields.data.save_id,
                title: read.title,
                engine: null,
              },
              {
                latex: read.latex,
                mainName: read.mainName,
                figures: read.figures,
                pdf: null,
                sourceMap: null,
              },
            );
            return { id: made, missing: read.missing, main: read.main, others: read.others };
          },
        );
        const document = await showDocument(db, user.id, id);
        return c.json({ document, ...rest } satisfies Imported, 201, privateHeaders);
      } finally {
        await upload.remove();
      }
    } finally {
      leave();
    }
  });

  app.openapi(routes.export, async (c) => {
    const user = getUser(c);
    const { fileName, mediaType, body } = await exportDocument(
      { db, storage, typesetter, exchanger, queue },
      {
        userId: user.id,
        documentId: c.req.valid('param').id,
        ...c.req.valid('query'),
        owner: queueOwner(user),
        signal: c.req.raw.signal,
      },
    );
    const content = body instanceof Uint8Array ? body : toBody(body, streams.enter(user.id));
    return c.body(content, 200, {
      ...privateHeaders,
      'Content-Type': mediaType,
      'Content-Disposition': attachment(fileName),
    });
  });

  app.openapi(routes.exportAll, async (c) => {
    const user = getUser(c);
    const leave = streams.enter(user.id);
    try {
      const folders = await listFolderPaths(db, user.id);
      const archive = zipDocuments(listLibrary(deps, user.id, folders), [...folders.values()]);
      return c.body(toBody(archive, leave), 200, {
        ...privateHeaders,
        'Content-Type': 'application/zip',
        'Content-Disposition': attachment('Inkproof documents.zip'),
      });
    } catch (error) {
      leave();
      throw error;
    }
  });
}

/** Counts uploads and archives in progress. */
function createStreamCount() {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    /** @returns a function to call once when it is finished. @throws ApiError BUSY, TOO_MANY_REQUESTS */
    enter(userId: string): () => void {
      const own = counts.get(userId) ?? 0;
      if (own >= maxStreamsPerUser)
        throw new ApiError('TOO_MANY_REQUESTS', {
          message: 'You already have several files in progress. Please wait until one has finished.',
          retryAfterSeconds: 10,
        });
      if (total >= maxStreams)
        throw new ApiError('BUSY', {
          message: 'The server is busy. Please try again in a moment.',
          retryAfterSeconds: 10,
        });
      counts.set(userId, own + 1);
      total++;
      return () => {
        total--;
        const left = (counts.get(userId) ?? 1) - 1;
        if (left > 0) counts.set(userId, left);
        else counts.delete(userId);
      };
    },
  };
}
