import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DrizzleQueryError } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { ApiError, invalidInput } from '../errors.ts';
import { openLogger } from './logger.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'inkproof-logger-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The lines logged by `use`. */
function collect(use: (logger: ReturnType<typeof openLogger>['logger']) => void): string {
  let text = '';
  const opened = openLogger(
    { DATA_DIR: folder, LOG_LEVEL: 'trace' },
    { output: { write: (line) => (text += line) } },
  );
  use(opened.logger);
  opened.close();
  return text;
}

const marker = 'marker-59812';

function thrownBy(use: () => unknown): unknown {
  try {
    use();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

test.each<[string, unknown]>([
  ['Node', thrownBy(() => readFileSync(`${marker}\0`))],
  ['fetch', thrownBy(() => new Headers({ a: `${marker}\n${marker}` }))],
  ['a time zone', thrownBy(() => new Intl.DateTimeFormat('en', { timeZone: marker }))],
  ['JSON.parse', thrownBy(() => JSON.parse(`${marker} {`))],
  ['zod', thrownBy(() => z.enum(['a']).parse(marker))],
  ['Drizzle', new DrizzleQueryError(`insert ${marker}`, [marker], new Error(marker))],
  ['a refusal', invalidInput(`${marker}.pdf is empty`, new Error(marker))],
  ['several lines', new Error(`first\n    at ${marker} (x:1:1)\n${marker}`)],
  ['a cause', new Error('outer', { cause: new Error(marker) })],
  ['no error at all', marker],
])('the message of an error from %s stays out of the log', (_, error) => {
  const text = collect((logger) => {
    logger.error({ err: error }, 'it failed');
    logger.error({ error }, 'it failed');
  });
  expect(text).toContain('it failed');
  expect(text).not.toContain(marker);
});

test('class, code and place of an error are logged', () => {
  const text = collect((logger) =>
    logger.error({ err: new ApiError('BUSY', { message: marker }) }, 'refused'),
  );
  expect(JSON.parse(text)).toMatchObject({
    level: 'error',
    msg: 'refused',
    err: { type: 'ApiError', code: 'BUSY' },
  });
  const bug = thrownBy(() => (undefined as unknown as { page: number }).page);
  const line = JSON.parse(collect((logger) => logger.error({ err: bug }, 'bug')));
  expect(line.err.message).toMatch(/Cannot read properties of undefined/);
  expect(line.err.stack[0]).toContain('logger.test.ts');
});

test('fields that may contain content or addresses are not logged, not even one level down', () => {
  const text = collect((logger) =>
    logger.info(
      {
        latex: marker,
        email: marker,
        page: { text: marker, filename: marker },
        headers: { cookie: marker },
        SMTP_URL: marker,
        env: { STRIPE_SECRET_KEY: marker, METRICS_TOKEN: marker },
        number: 3,
      },
      'page',
    ),
  );
  expect(text).not.toContain(marker);
  expect(JSON.parse(text).number).toBe(3);
});
