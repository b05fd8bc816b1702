import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CompileResponse } from '#shared/api/documents.ts';
import { compilationTimeoutTexts, ErrorObject } from '#shared/api/errors.ts';
import { pdfText } from '#typesetting/testing/find-leak.ts';
import { boxedProcesses, jobFolders } from '#typesetting/testing/left-behind.ts';
import { type ServedRoutes, serveRoutes } from './testing/serve-routes.ts';

let served: ServedRoutes;
beforeAll(async () => {
  served = await serveRoutes();
});
afterAll(() => served.close());

const wrap = (body: string) =>
  `\\documentclass{article}\n\\usepackage{graphicx}\n\\begin{document}\n${body}\n\\end{document}\n`;

const compile = (body: unknown, signal?: AbortSignal) =>
  fetch(`${served.address}/api/v1/compile`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });

describe('POST /api/v1/compile', () => {
  test('answers with the PDF', async () => {
    const response = await compile({ latex: wrap('Hello there'), return_pdf: true });
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('application/pdf');
    expect(pdfText(await response.bytes())).toContain('Hello there');
  });

  test('with return_pdf false, says only that it compiles', async () => {
    const response = await compile({ latex: wrap('\\ref{nowhere}\\newpage second'), return_pdf: false });
    expect(response.status).toBe(200);
    const answer = CompileResponse.parse(await response.json());
    expect(answer.page_count).toBe(2);
    expect(answer.messages.some((message) => message.message.includes('nowhere'))).toBe(true);
  });

  test('uses the figures sent with it', async () => {
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const figure = { name: 'figure-p1-1.png', media_type: 'image/png', data_base64: png };
    const latex = wrap('\\includegraphics{figure-p1-1.png}');
    expect((await compile({ latex, figures: [figure] })).status).toBe(200);
    expect((await compile({ latex })).status).toBe(422);
    for (const figures of [
      [{ ...figure, name: '../figure.png' }],
      [{ ...figure, name: 'main.png' }],
      [figure, figure],
      [{ ...figure, data_base64: 'no base64!' }],
    ]) {
      const response = await compile({ latex, figures });
      expect(response.status).toBe(400);
      expect(ErrorObject.parse(await response.json()).code).toBe('INVALID_INPUT');
    }
  });

  test('reports errors with their lines', async () => {
    const response = await compile({ latex: wrap('fine\n\\undefinedthing here'), source: 'server' });
    expect(response.status).toBe(422);
    const error = ErrorObject.parse(await response.json());
    expect(error).toMatchObject({
      code: 'COMPILATION_FAILED',
      error: 'LaTeX compilation failed. Check the code or try the suggested fix.',
      source: 'server',
    });
    expect(error.messages?.[0]).toMatchObject({
      file: 'main.tex',
      line: 5,
      message: 'Undefined control sequence.',
    });
  });

  test.each(['user', 'server'] as const)('a time-out has the text for source %s', async (source) => {
    const { requireCompiled } = await import('#typesetting/index.ts');
    const result = await served.typesetter.compile({
      latex: wrap('\\loop\\iftrue\\repeat'),
      owner: 'a',
      cpuMs: 700,
    });
    expect(() => requireCompiled(result, source)).toThrow(compilationTimeoutTexts[source]);
  });

  test('ends the compile when the caller disconnects', async () => {
    // warm engines outlive a caller, so leftovers of a run can be detected only without any
    const lines: string[] = [];
    const cold = await serveRoutes({ strategies: ['cold'], log: (line) => lines.push(line) });
    const controller = new AbortController();
    const pending = fetch(`${cold.address}/api/v1/compile`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ latex: wrap('\\loop\\iftrue\\repeat') }),
      signal: controller.signal,
    });
    await until(() => boxedProcesses(cold.workDir).length > 0);
    controller.abort();
    await expect(pending).rejects.toThrow();
    await until(() => boxedProcesses(cold.workDir).length === 0 && jobFolders(cold.workDir).length === 0);
    await cold.close();
    // nobody is left to receive a response, and nothing has gone wrong
    expect(lines.filter((line) => JSON.parse(line).level >= 40)).toEqual([]);
  });

  test('rejects invalid requests', async () => {
    for (const body of [{}, { latex: '' }, { latex: 5 }]) {
      const response = await compile(body);
      expect(response.status).toBe(400);
      expect(ErrorObject.parse(await response.json()).code).toBe('INVALID_INPUT');
    }
  });

  test('says so where no sandbox works', async () => {
    const refusing = await serveRoutes({ sandbox: [] });
    const response = await fetch(`${refusing.address}/api/v1/compile`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ latex: wrap('x') }),
    });
    expect(response.status).toBe(503);
    const error = ErrorObject.parse(await response.json());
    expect(error.code).toBe('BUSY');
    expect(error.error).toContain('no sandbox works here');
    await refusing.close();
  });
});

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !condition(); tries++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(condition()).toBe(true);
}
