// What a conversion costs in every possible course: over HTTP, with a real worker, ledger and database.
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Conversion, ProcessResponse } from '#shared/api/conversion.ts';
import { findDifferences } from '../../../test-support/money/credits.ts';
import { checkBalances, listEntries } from '../../credits/index.ts';
import { conversionsPrefix } from '../files.ts';
import { conversions, conversionUploads } from '../schema.ts';
import { pageWith } from '../testing/rig.ts';
import { writeNumber } from '../testing/scripted-transcriber.ts';
import { type Served, serveConversions, type User } from '../testing/serve.ts';
import { fourPages, openUpload, twoPages } from '../testing/uploads.ts';

let served: Served;
beforeAll(async () => {
  served = await serveConversions();
});
afterAll(() => served.close());
beforeEach(() => {
  served.transcriber.script = writeNumber;
  served.transcriber.delayMs = 0;
});

async function send(
  person: Pick<User, 'fetch'>,
  file: string,
  init: RequestInit = {},
  fields: Record<string, string> = {},
): Promise<Response> {
  const form = new FormData();
  form.append('file', await openUpload(file), 'notes.pdf');
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return person.fetch('/api/v1/process', { method: 'POST', body: form, ...init });
}

/** Starts a conversion and disconnects; it continues. */
async function start(person: User, file: string): Promise<string> {
  const answer = await send(person, file, { headers: { Accept: 'text/event-stream' } });
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return /"conversion_id":"([^"]+)"/.exec(value ?? '')![1]!;
}

/** Waits until the conversion has stopped. */
async function finish(person: User, id: string): Promise<Conversion> {
  await (await person.fetch(`/api/v1/conversions/${id}/events`)).text();
  return (await (await person.fetch(`/api/v1/conversions/${id}`)).json()) as Conversion;
}

const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 20_000 });
const total = async (from: Pick<Served, 'rig'> = served) => (await checkBalances(from.rig.db)).pageTotal;
const failOn =
  (...numbers: number[]): typeof served.transcriber.script =>
  (input) =>
    numbers.includes(input.hints.pageNumber)
      ? { kind: 'failed', message: 'The ink is too faint.', retryable: false }
      : writeNumber(input);

/** What is there of conversions. Files that are on their way out may still go: `except` names those known before. */
async function leftBehind(
  except: readonly string[] = [],
): Promise<{ conversions: number; uploads: number; files: string[] }> {
  const files: string[] = [];
  for await (const { key } of served.rig.storage.list(conversionsPrefix))
    if (!except.includes(key)) files.push(key);
  const { db } = served.rig;
  return {
    conversions: (await db.select({ id: conversions.id }).from(conversions)).length,
    uploads: (await db.select({ id: conversionUploads.id }).from(conversionUploads)).length,
    files,
  };
}

describe('without a session', () => {
  test('nothing is received: the answer comes before the first byte of the file', async () => {
    const before = await leftBehind();
    const answer = await send(served.visitor(), twoPages);
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: 'UNAUTHORIZED', source: 'user' });
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(await leftBehind(before.files)).toEqual({ ...before, files: [] });

    const socket = connect(Number(new URL(served.address).port), '127.0.0.1');
    socket.write(
      'POST /api/v1/process HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 2000000\r\n\r\n',
    );
    const [head] = (
      await new Promise<string>((resolve) =>
        socket.once('data', (chunk) => resolve(chunk.toString())),
      ).finally(() => socket.destroy())
    ).split('\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe('a conversion costs', () => {
  test('one credit per page, taken when accepted; the total grows on delivery', async () => {
    const [ada, before] = [served.user(5), await total()];
    served.transcriber.delayMs = 60_000;
    const held = await start(ada, twoPages);
    expect([await ada.credits(), await total()]).toEqual([3, before]);
    await ada.fetch(`/api/v1/conversions/${held}`, { method: 'DELETE' });
    served.transcriber.delayMs = 0;
    expect((await send(ada, twoPages)).status).toBe(200);
    expect([await ada.credits(), await total()]).toEqual([3, before + 2]);
  });

  test('nothing for empty pages, and the result says so', async () => {
    const [ada, before] = [served.user(5), await total()];
    served.transcriber.script = (input) =>
      [1, 3].includes(input.hints.pageNumber)
        ? { kind: 'transcribed', page: pageWith(' \n') }
        : writeNumber(input);
    const answer = await send(ada, fourPages);
    expect(answer.status).toBe(200);
    const { warnings } = (await answer.json()) as ProcessResponse;
    expect(warnings.filter(({ code }) => code === 'PAGE_EMPTY')).toEqual(
      [1, 3].map((page) => ({
        code: 'PAGE_EMPTY',
        message: 'Nothing is written on this page. It costs nothing.',
        page,
      })),
    );
    expect([await ada.credits(), await total()]).toEqual([3, before + 2]);
    expect(await findDifferences(served.rig.db)).toEqual([]);
  });

  test('nothing at all if every page is empty: an error says so instead of an empty document', async () => {
    const [ada, before] = [served.user(5), await total()];
    served.transcriber.script = () => ({ kind: 'transcribed', page: pageWith('') });
    const answer = await send(ada, twoPages);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      code: 'INVALID_INPUT',
      source: 'user',
      error:
        'Nothing is written on these pages, and nothing was charged. Faint writing is read from a darker scan.',
    });
    expect([await ada.credits(), await total()]).toEqual([5, before]);
    // if a retry reads it, it is charged as usual
    const id = await start(ada, twoPages);
    expect((await finish(ada, id)).state).toBe('failed');
    served.transcriber.script = writeNumber;
    expect((await ada.fetch(`/api/v1/conversions/${id}/pages/1/retry`, { method: 'POST' })).ok).toBe(true);
    expect((await finish(ada, id)).state).toBe('delivered');
    expect([await ada.credits(), await total()]).toEqual([4, before + 1]);
  });

  test('only the pages in the requested range', async () => {
    const ada = served.user(5);
    await send(ada, fourPages, {}, { start_page: '2', end_page: '3' });
    expect(await ada.credits()).toBe(3);
  });

  test('nothing for a failed page; retrying is free, and it costs its credit when delivered', async () => {
    const [ada, before] = [served.user(2), await total()];
    served.transcriber.script = failOn(2);
    const id = await start(ada, twoPages);
    await finish(ada, id);
    expect([await ada.credits(), await total()]).toEqual([1, before + 1]);
    // failing again, it is free again
    const retry = () => ada.fetch(`/api/v1/conversions/${id}/pages/2/retry`, { method: 'POST' });
    expect((await retry()).status).toBe(202);
    await finish(ada, id);
    expect(await ada.credits()).toBe(1);
    served.transcriber.script = writeNumber;
    expect((await retry()).status).toBe(202);
    expect(await finish(ada, id)).toMatchObject({ pages: [{ state: 'read' }, { state: 'read' }] });
    expect([await ada.credits(), await total()]).toEqual([0, before + 2]);
  });

  test('nothing for a retried page if no credit is left: our failure is never a reason to refuse', async () => {
    const ada = served.user(2);
    served.transcriber.script = failOn(2);
    const id = await start(ada, twoPages);
    await finish(ada, id);
    served.transcriber.script = writeNumber;
    expect((await send(ada, fourPages, {}, { end_page: '1' })).status).toBe(200);
    expect(await ada.credits()).toBe(0);
    expect((await ada.fetch(`/api/v1/conversions/${id}/pages/2/retry`, { method: 'POST' })).status).toBe(202);
    expect(await finish(ada, id)).toMatchObject({ pages: [{ state: 'read' }, { state: 'read' }] });
    expect(await ada.credits()).toBe(0);
  });

  test.each([
    ['no page could be read', () => failOn(1, 2), 502],
    [
      'the reader finds published material',
      () => () => ({ kind: 'copyrighted', code: 'COPYRIGHT_DETECTED' }) as const,
      451,
    ],
  ])('nothing when %s', async (_, script, status) => {
    const [ada, before] = [served.user(2), await total()];
    served.transcriber.script = script();
    expect((await send(ada, twoPages)).status).toBe(status);
    expect([await ada.credits(), await total()]).toEqual([2, before]);
  });

  test.each([
    ['a publisher’s PDF', 'bad/copyrighted.pdf', 451],
    ['a PDF that is too long', 'bad/300-pages.pdf', 413],
    ['what is no PDF', 'bad/html-named.pdf', 400],
  ])('nothing for %s: the ledger is not touched', async (_, file, status) => {
    const ada = served.user(2);
    expect((await send(ada, file)).status).toBe(status);
    expect((await listEntries(served.rig.db, await ada.id())).map(({ kind }) => kind)).toEqual([
      'adjustment',
    ]);
  });

  test.each([
    [
      'cancelled',
      (ada: User, id: string) => ada.fetch(`/api/v1/conversions/${id}/cancel`, { method: 'POST' }),
    ],
    ['dismissed', (ada: User, id: string) => ada.fetch(`/api/v1/conversions/${id}`, { method: 'DELETE' })],
  ])('nothing when it is %s before it is delivered', async (_, end) => {
    const [ada, before] = [served.user(2), await total()];
    served.transcriber.delayMs = 60_000;
    const id = await start(ada, twoPages);
    expect(await ada.credits()).toBe(0);
    await Promise.all([end(ada, id), end(ada, id)]);
    expect([await ada.credits(), await total()]).toEqual([2, before]);
  });

  test('nothing when a plain call’s client disconnects', async () => {
    const ada = served.user(4);
    served.transcriber.delayMs = 60_000;
    const leaving = new AbortController();
    const aborted = expect(send(ada, fourPages, { signal: leaving.signal })).rejects.toThrow();
    await eventually(() => ada.credits()).toBe(0);
    leaving.abort();
    await aborted;
    await eventually(() => ada.credits()).toBe(4);
  });

  test('no more than the balance: the answer says how much is missing, and the upload is deleted', async () => {
    const [ada, before] = [served.user(3), await leftBehind()];
    const answer = await send(ada, fourPages);
    expect(answer.status).toBe(402);
    expect(await answer.json()).toEqual({
      code: 'INSUFFICIENT_CREDITS',
      error: '',
      source: 'user',
      kind: 'conversion',
      required: 4,
      available: 3,
    });
    expect(await leftBehind(before.files)).toEqual({ ...before, files: [] });
    expect(await ada.credits()).toBe(3);
  });

  test('one credit, thirty concurrent requests: one is accepted', async () => {
    served.transcriber.delayMs = 200;
    const ada = served.user(1);
    // the limit of five at once would refuse most before they are counted
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, async () => {
        const answer = await send(ada, fourPages, {}, { end_page: '1' });
        await answer.body?.cancel();
        return answer.status;
      }),
    );
    expect(outcomes.filter((status) => status === 200)).toHaveLength(1);
    expect(outcomes.filter((status) => ![200, 402, 429, 503].includes(status))).toEqual([]);
    expect(await ada.credits()).toBe(0);
  });
});

test('after all that, every balance is the sum of its entries', async () => {
  expect(await findDifferences(served.rig.db)).toEqual([]);
});
