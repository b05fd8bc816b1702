/** POST /api/v1/compile and POST /api/v1/watermark. */

import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Logger } from 'pino';
import { describeFirstIssue } from '#platform/describe-issue.ts';
import { invalidInput } from '#platform/errors.ts';
import {
  CompileRequest,
  CompileResponse,
  WatermarkFields,
  WatermarkForm,
  WatermarkResponse,
} from '#shared/api/documents.ts';
import { maxWatermarkPdfBytes } from '#shared/api/limits.ts';
import type { Typesetter } from '#typesetting/index.ts';
import { createWatermarker, publicMessages, requireCompiled } from '#typesetting/index.ts';
import { allow, createRoute } from '../http/access.ts';
import { problem } from '../http/answer/describe-answers.ts';
import { type AppEnv, queueOwner } from '../http/types.ts';
import { toAssets } from './figures.ts';
import { receiveWatermarkForm } from './receive-watermark-form.ts';

export interface TypesettingRoutesDeps {
  typesetter: Typesetter;
  logger: Logger;
}

const compileRoute = createRoute('visitor-without-database', {
  method: 'post',
  path: '/api/v1/compile',
  summary: 'Compile LaTeX',
  description:
    'Answers with the PDF or, with `return_pdf: false`, only with whether the document compiles. The engine is the requested one, or else the one named by `% !TEX program = …` at the start of the document, or else xelatex, unless only lualatex or pdflatex can compile the document.',
  request: { body: { required: true, content: { 'application/json': { schema: CompileRequest } } } },
  responses: {
    200: {
      description: 'The document compiles',
      content: {
        'application/pdf': { schema: { type: 'string', format: 'binary' } },
        'application/json': { schema: CompileResponse },
      },
    },
    400: problem('INVALID_INPUT'),
    408: problem('COMPILATION_TIMEOUT'),
    422: problem('COMPILATION_FAILED, with `messages` per line'),
    429: problem(
      'TOO_MANY_REQUESTS: this caller or its network has too many calls waiting; Retry-After says when to try again',
    ),
    503: problem('BUSY: the queue is full (Retry-After says when to try again) or no sandbox works here'),
  },
});

const watermarkRoute = createRoute('visitor-without-database', {
  method: 'post',
  path: '/api/v1/watermark',
  summary: 'Stamp text on every page of a PDF',
  request: { body: { required: true, content: { 'multipart/form-data': { schema: WatermarkForm } } } },
  responses: {
    200: { description: 'The stamped PDF', content: { 'application/json': { schema: WatermarkResponse } } },
    400: problem(
      'INVALID_INPUT: no PDF, an encrypted or damaged one, or a text that no installed font covers',
    ),
    429: problem('TOO_MANY_REQUESTS: this caller or its network has too many calls waiting'),
    503: problem('BUSY'),
  },
});

/** Registers the calls on LaTeX and PDFs that need no saved document. */
export function registerTypesettingRoutes(app: OpenAPIHono<AppEnv>, deps: TypesettingRoutesDeps): void {
  const { typesetter } = deps;
  const watermarker = createWatermarker(typesetter);

  app.openapi(compileRoute, async (c) => {
    const { latex, return_pdf, source, figures, engine } = c.req.valid('json');
    const result = await typesetter.compile({
      latex,
      engine,
      assets: toAssets(figures),
      owner: queueOwner(c.get('caller')),
      signal: c.req.raw.signal,
    });
    const compiled = requireCompiled(result, source);
    if (return_pdf) return c.body(new Uint8Array(compiled.pdf), 200, { 'Content-Type': 'application/pdf' });
    const messages = publicMessages(compiled.messages);
    return c.json({ ok: true as const, page_count: compiled.pageCount, messages }, 200);
  });

  // the body is streamed from the raw request: the validator would hold it in memory
  const { middleware: _, ...description } = watermarkRoute;
  app.openAPIRegistry.registerPath(description);
  app.post(watermarkRoute.path, allow('visitor-without-database'), async (c) => {
    const { signal } = c.req.raw;
    const form = await receiveWatermarkForm(c.env.incoming, maxWatermarkPdfBytes, signal);
    try {
      const fields = WatermarkFields.safeParse(form.fields);
      if (!fields.success) throw invalidInput(describeFirstIssue(fields.error.issues));
      const pdf = await watermarker.stamp({
        file: form.file,
        text: fields.data.watermark_text,
        sizeScale: fields.data.size_scale,
        owner: queueOwner(c.get('caller')),
        signal,
      });
      return c.json({ pdf_base64: pdf.toString('base64') } satisfies WatermarkResponse, 200);
    } finally {
      await form.remove();
    }
  });
}
