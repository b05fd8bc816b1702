import { OpenAPIHono } from '@hono/zod-openapi';
import { afterAll, expect, test } from 'vitest';
import { openStrokeReader } from '#reading/index.ts';
import { InkResponse } from '#shared/api/ink.ts';
import { answerError, refuseInvalid } from '../http/answer/answer-errors.ts';
import type { AppEnv } from '../http/types.ts';
import { registerInkRoute } from './index.ts';

const reader = openStrokeReader();
afterAll(() => reader?.close());

function serve(reads: typeof reader) {
  const app = new OpenAPIHono<AppEnv>({ defaultHook: refuseInvalid });
  app.onError(answerError);
  app.use(async (c, next) => {
    const anyCaller = async () => ({ kind: 'visitor', id: 'v', network: 'n' }) as const;
    c.set('identify', { anyCaller } as never);
    c.set('logger', { error() {}, warn() {}, info() {} } as never);
    await next();
  });
  registerInkRoute(app, { reader: reads });
  return (body: unknown) =>
    app.request('/api/v1/ink', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
}
const ask = serve(reader);

/** x² + 1 and two lines, drawn for this test. */
const x = [
  [10, 40, 22, 54, 34, 70],
  [34, 40, 22, 56, 10, 70],
];
const square = [44, 22, 52, 16, 60, 20, 58, 28, 44, 42, 62, 42];
const plusOne = [
  [78, 55, 102, 55],
  [90, 43, 90, 67],
  [120, 45, 128, 36, 128, 72],
];

test('a drawn formula comes back as LaTeX, with alternatives after it', async () => {
  const response = await ask({ strokes: [...x, square, ...plusOne] });
  expect(response.status).toBe(200);
  const { candidates } = InkResponse.parse(await response.json());
  expect(candidates[0]!.latex).toBe('x^{2}+1');
  expect(candidates.length).toBeGreaterThan(1);
  expect(candidates.length).toBeLessThanOrEqual(5);
  expect(new Set(candidates.map(({ latex }) => latex)).size).toBe(candidates.length);
  expect(candidates.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
});

test('a single sign is read, and ink of one point is not an error', async () => {
  const [sign] = InkResponse.parse(await (await ask({ strokes: [square] })).json()).candidates;
  expect(sign?.latex).toBe('2');
  expect((await ask({ strokes: [[5, 5]], kind: 'text' })).status).toBe(200);
});

test.each([
  ['no ink', { strokes: [] }],
  ['half a point', { strokes: [[1, 2, 3]] }],
  ['a coordinate outside any pad', { strokes: [[1, 1e9]] }],
  ['more strokes than a line has', { strokes: Array.from({ length: 301 }, () => [1, 1]) }],
  ['more points than a line has', { strokes: Array.from({ length: 11 }, () => new Array(2_000).fill(1)) }],
  ['another kind', { strokes: x, kind: 'drawing' }],
])('%s is refused with a message', async (_, body) => {
  const response = await ask(body);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'INVALID_INPUT' });
});

test('an installation without the weights says that it cannot read', async () => {
  const response = await serve(null)({ strokes: x });
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({
    code: 'BUSY',
    error: 'Handwriting cannot be read on this server.',
  });
});
