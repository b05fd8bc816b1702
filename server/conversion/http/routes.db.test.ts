import { connect } from 'node:net';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WorkStarved } from '#platform/work/work-limit.ts';
import type { Conversion, ProcessResponse } from '#shared/api/conversion.ts';
import type { ErrorObject } from '#shared/api/errors.ts';
import { conversionsPrefix } from '../files.ts';
import { conversions, conversionUploads } from '../schema.ts';
import { pageWith } from '../testing/rig.ts';
import { writeNumber } from '../testing/scripted-transcriber.ts';
import { look, type Received, readStream, send, sendAndFollow, start } from '../testing/send-files.ts';
import { type Served, serveConversions, type User } from '../testing/serve.ts';
import { fourPages, twoPages } from '../testing/uploads.ts';

const photo = 'images/grammaire-subjonctif-p1-crop.webp';

let served: Served;
beforeAll(async () => {
  served = await serveConversions();
});
afterAll(() => served.close());
beforeEach(async () => {
  served.transcriber.script = writeNumber;
  served.transcriber.delayMs = 0;
  served.transcriber.begun.length = 0;
});

const eventually = <T>(look: () => T) => expect.poll(look, { timeout: 20_000 });

/** Storage keys of one conversion, or of all. */
async function storedKeys(id = ''): Promise<string[]> {
  const keys = (await Array.fromAsync(served.rig.storage.list(conversionsPrefix))).map(({ key }) => key);
  return keys.filter((key) => key.includes(id));
}

const uploadsOf = async (id = '') => (await storedKeys(id)).filter((key) => key.includes('/uploads/'));

const failOn =
  (...numbers: number[]): typeof served.transcriber.script =>
  (input) =>
    numbers.includes(input.hints.pageNumber)
      ? { kind: 'failed', message: 'The ink is too faint.', retryable: false }
      : writeNumber(input);

describe('a plain call', () => {
  test('answers with LaTeX and its PDF, and the upload is deleted', async () => {
    const answer = await send(served.user(), [twoPages]);
    expect(answer.status).toBe(200);
    const body = (await answer.json()) as ProcessResponse;
    expect(body.latex).toContain('This is page 1');
    expect(body.latex).toContain('This is page 2');
    expect(Buffer.from(body.pdf_base64, 'base64').subarray(0, 5).toString()).toBe('%PDF-');
    expect(body.warnings).toEqual([]);
    expect(body.conversion_id).toBeTruthy();
    await eventually(() => uploadsOf(body.conversion_id)).toEqual([]);
  });

  test('reads the requested range', async () => {
    const fields = { start_page: '2', end_page: '3' };
    const body = (await (await send(served.user(), [fourPages], fields)).json()) as ProcessResponse;
    expect(served.transcriber.begun.toSorted()).toEqual([1, 2]);
    expect(body.latex).not.toContain('This is page 3');
  });

  test('makes one document of several files, in the order sent', async () => {
    const sources: string[] = [];
    served.transcriber.script = (input) => {
      sources[input.hints.pageNumber] = `${input.source.kind} ${input.source.index}`;
      return writeNumber(input);
    };
    expect((await send(served.user(), [photo, twoPages])).status).toBe(200);
    expect(sources.slice(1)).toEqual(['image 0', 'pdf 0', 'pdf 1']);
  });

  test('delivers the pages that could be read, and lists the others', async () => {
    served.transcriber.script = failOn(2);
    const body = (await (await send(served.user(), [twoPages])).json()) as ProcessResponse;
    expect(body.latex).toContain('This is page 1');
    expect(body.warnings).toContainEqual({
      code: 'PAGE_FAILED',
      message: 'Page 2 is missing: The ink is too faint.',
      page: 2,
    });
  });

  test('retries a page when the machine was overloaded', async () => {
    const user = served.user();
    served.transcriber.script = (input) => {
      const isFirstTry =
        served.transcriber.begun.filter((page) => page === input.hints.pageNumber).length === 1;
      if (input.hints.pageNumber === 2 && isFirstTry) throw new WorkStarved();
      return writeNumber(input);
    };
    const answer = await send(user, [twoPages]);
    expect(answer.status).toBe(200);
    const { latex, warnings } = (await answer.json()) as ProcessResponse;
    expect(latex).toContain('This is page 2');
    expect(warnings).toEqual([]);
  });

  test('says GENERATION_FAILED when no page could be read', async () => {
    served.transcriber.script = failOn(1, 2);
    const answer = await send(served.user(), [twoPages]);
    expect(answer.status).toBe(502);
    expect(await answer.json()).toMatchObject({
      code: 'GENERATION_FAILED',
      source: 'server',
      error: 'The ink is too faint.',
      warnings: [{ page: 1 }, { page: 2 }],
    });
  });

  test('says COPYRIGHT_DETECTED when the reader reports it', async () => {
    served.transcriber.script = () => ({ kind: 'copyrighted', code: 'COPYRIGHT_DETECTED' });
    const before = await uploadsOf();
    const answer = await send(served.user(), [twoPages]);
    expect(answer.status).toBe(451);
    expect(await answer.json()).toMatchObject({ code: 'COPYRIGHT_DETECTED', source: 'user' });
    await eventually(async () => (await uploadsOf()).filter((key) => !before.includes(key))).toEqual([]);
  });

  test('is cancelled when its client disconnects', async () => {
    served.transcriber.delayMs = 60_000;
    const leaving = new AbortController();
    const user = served.user();
    const aborted = expect(send(user, [fourPages], {}, { signal: leaving.signal })).rejects.toThrow();
    await eventually(() => served.transcriber.begun.length).toBe(4);
    leaving.abort();
    await aborted;
    const states = async () => (await served.rig.db.select().from(conversions)).map((row) => row.state);
    await eventually(states).toContain('cancelled');
    await eventually(states).not.toContain('reading');
    await eventually(() => served.followers()).toBe(0);
  });
});

describe('what cannot be converted', () => {
  const refusals: [string, string[], Record<string, string>, number, ErrorObject['code']][] = [
    ['a range beyond the end', [twoPages], { start_page: '9' }, 400, 'INVALID_INPUT'],
    ['a negative page', [twoPages], { start_page: '-1' }, 400, 'INVALID_INPUT'],
    ['a page that is text', [twoPages], { start_page: 'two' }, 400, 'INVALID_INPUT'],
    ['an end before the start', [twoPages], { start_page: '2', end_page: '1' }, 400, 'INVALID_INPUT'],
    ['more than 200 pages', ['bad/300-pages.pdf'], {}, 413, 'PDF_TOO_LONG'],
    ['an encrypted PDF', ['bad/encrypted.pdf'], {}, 400, 'INVALID_INPUT'],
    ['an empty file', ['bad/empty.pdf'], {}, 400, 'INVALID_INPUT'],
    ['HTML with a PDF’s name', ['bad/html-named.pdf'], {}, 400, 'INVALID_INPUT'],
    ['a publisher’s PDF', ['bad/copyrighted.pdf'], {}, 451, 'COPYRIGHTED_PDF'],
    ['one bad file among good ones', [twoPages, 'bad/empty.pdf'], {}, 400, 'INVALID_INPUT'],
    ['no file', [], { start_page: '1' }, 400, 'INVALID_INPUT'],
  ];
  test.each(refusals)('%s', async (_what, files, fields, status, code) => {
    const before = await uploadsOf();
    const answer = await send(served.user(), files, fields);
    expect(answer.status).toBe(status);
    const error = (await answer.json()) as ErrorObject;
    expect(error).toMatchObject({ code, source: 'user', error: expect.stringMatching(/\w/) });
    // files of earlier conversions may have been deleted meanwhile
    expect((await uploadsOf()).filter((key) => !before.includes(key))).toEqual([]);
    expect(await served.rig.db.select().from(conversionUploads)).toEqual([]);
  });

  test('a long PDF is converted in parts', async () => {
    const answer = await send(served.user(), ['bad/300-pages.pdf'], {
      start_page: '299',
      end_page: '300',
    });
    expect(answer.status).toBe(200);
  });
});

test('a connection cut during the upload leaves nothing', async () => {
  const socket = connect(Number(new URL(served.address).port), '127.0.0.1');
  const head = [
    'POST /api/v1/process HTTP/1.1',
    'Host: localhost',
    `Authorization: ${await served.user().authorization()}`,
    'Content-Type: multipart/form-data; boundary=b',
    'Content-Length: 2000000',
    '',
    '--b',
    'Content-Disposition: form-data; name="file"; filename="notes.pdf"',
    '',
    '%PDF-1.7',
  ];
  socket.write(head.join('\r\n') + '.'.repeat(1_000_000));
  const uploads = () => served.rig.db.select().from(conversionUploads);
  await eventually(async () => (await uploads()).length).toBe(1);
  const [upload] = await uploads();
  socket.destroy();
  await eventually(uploads).toEqual([]);
  // only this upload's: files of earlier conversions may still be in the process of deletion
  expect(await storedKeys(upload!.id)).toEqual([]);
});

describe('a stream', () => {
  test('begins with “accepted”, shows the pages, and ends with the document', async () => {
    const events = (await Array.fromAsync(sendAndFollow(served.user(), [twoPages]))).map(
      ({ event }) => event,
    );
    expect(events[0]).toMatchObject({ type: 'accepted', page_count: 2 });
    const read = events.filter((event) => event.type === 'page' && event.page.state === 'read');
    expect(read).toHaveLength(2);
    expect(events).toContainEqual({ type: 'stage', state: 'assembling' });
    expect(events.at(-1)).toMatchObject({
      type: 'delivered',
      result: { latex: expect.stringContaining('This is page 2') },
    });
  });

  test('that breaks does not cancel: it continues with Last-Event-ID', async () => {
    const user = served.user();
    served.transcriber.delayMs = 300;
    const leaving = new AbortController();
    const first: Received[] = [];
    await (async () => {
      for await (const received of sendAndFollow(user, [twoPages], leaving.signal)) {
        first.push(received);
        leaving.abort();
      }
    })().catch((error: Error) => expect(error.name).toBe('AbortError'));
    const { event, id } = first[0]!;
    const conversionId = event.type === 'accepted' ? event.conversion_id : '';
    const answer = await user.fetch(`/api/v1/conversions/${conversionId}/events`, {
      headers: { 'Last-Event-ID': String(id) },
    });
    const rest = await Array.fromAsync(readStream(answer));
    expect(rest.every((received) => received.id > id)).toBe(true);
    expect(rest.at(-1)?.event.type).toBe('delivered');
    // nothing new will come: a browser’s EventSource is told to stop reconnecting
    const again = await user.fetch(`/api/v1/conversions/${conversionId}/events`, {
      headers: { 'Last-Event-ID': String(rest.at(-1)!.id) },
    });
    expect(again.status).toBe(204);
    await eventually(() => served.followers()).toBe(0);
  });
});

describe('one’s own conversion', () => {
  async function finish(user: User, id: string): Promise<Conversion> {
    const answer = await user.fetch(`/api/v1/conversions/${id}/events`);
    await answer.text();
    return look(user, id);
  }

  test('can be cancelled, and its files are deleted', async () => {
    const user = served.user();
    served.transcriber.delayMs = 60_000;
    const id = await start(user);
    const answer = await user.fetch(`/api/v1/conversions/${id}/cancel`, { method: 'POST' });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ conversion_id: id, state: 'cancelled' });
    await eventually(() => storedKeys(id)).toEqual([]);
  });

  test('a failed page can be read again, and the document is delivered again with it', async () => {
    const user = served.user();
    served.transcriber.script = failOn(2);
    const id = await start(user);
    const partial = await finish(user, id);
    expect(partial).toMatchObject({ state: 'delivered', pages: [{ state: 'read' }, { state: 'failed' }] });
    expect(partial.result?.latex).not.toContain('This is page 2');
    served.transcriber.script = writeNumber;
    const answer = await user.fetch(`/api/v1/conversions/${id}/pages/2/retry`, { method: 'POST' });
    expect(answer.status).toBe(202);
    const whole = await finish(user, id);
    expect(whole).toMatchObject({ state: 'delivered', pages: [{ state: 'read' }, { state: 'read' }] });
    expect(whole.result?.latex).toContain('This is page 2');
    expect(whole.result?.warnings).toEqual([]);
    const refused = await user.fetch(`/api/v1/conversions/${id}/pages/2/retry`, { method: 'POST' });
    expect(refused.status).toBe(400);
    const missing = await user.fetch(`/api/v1/conversions/${id}/pages/7/retry`, { method: 'POST' });
    expect(missing.status).toBe(404);
  });

  test('has its pictures, figures, PDF and archive', async () => {
    const user = served.user();
    served.transcriber.script = async (input) => {
      const { preview } = await input.picture();
      const body = 'A drawing: \\includegraphics[width=2cm]{figure-p1-1.jpg}';
      const box = { left: 0, top: 0, width: 1, height: 1 };
      const figures = [{ name: 'figure-p1-1.jpg', bytes: preview, box }];
      return { kind: 'transcribed', page: { ...pageWith(body), figures } };
    };
    const id = await start(user, [photo]);
    const conversion = await finish(user, id);
    expect(conversion.result?.figures.map((figure) => figure.name)).toEqual(['figure-p1-1.jpg']);
    const url = `/api/v1/conversions/${id}`;
    const types = async (target: string) => {
      const answer = await user.fetch(`${url}/${target}`);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      return { status: answer.status, type: answer.headers.get('content-type'), bytes };
    };
    expect(await types('pages/1/image')).toMatchObject({ status: 200, type: 'image/jpeg' });
    expect(await types('figures/figure-p1-1.jpg')).toMatchObject({ status: 200, type: 'image/jpeg' });
    expect(await types('figures/other.jpg')).toMatchObject({ status: 404 });
    expect(await types('result.pdf')).toMatchObject({ status: 200, type: 'application/pdf' });
    const saved = await user.fetch(`${url}/result.pdf?download=true`);
    expect(saved.headers.get('content-disposition')).toMatch(/^attachment; filename="document\.pdf";/);
    const archive = unzipSync((await types('result.zip')).bytes);
    expect(Object.keys(archive).toSorted()).toEqual(['document.pdf', 'document.tex', 'figure-p1-1.jpg']);
    expect(new TextDecoder().decode(archive['document.tex'])).toBe(conversion.result?.latex);
  });

  test('is deleted for good when dismissed', async () => {
    const user = served.user();
    const id = await start(user);
    await finish(user, id);
    expect((await user.fetch(`/api/v1/conversions/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await user.fetch(`/api/v1/conversions/${id}`)).status).toBe(404);
    await eventually(() => storedKeys(id)).toEqual([]);
  });

  test('belongs to nobody else: to a stranger it seems not to exist', async () => {
    const user = served.user();
    const id = await start(user);
    await finish(user, id);
    const stranger = served.user();
    const calls: [string, string][] = [
      ['GET', ''],
      ['GET', '/events'],
      ['POST', '/cancel'],
      ['POST', '/pages/1/retry'],
      ['DELETE', ''],
      ['GET', '/pages/1/image'],
      ['GET', '/figures/figure-p1-1.png'],
      ['GET', '/result.pdf'],
      ['GET', '/result.zip'],
    ];
    const missing = '00000000-0000-4000-8000-000000000000';
    for (const [method, rest] of calls) {
      const [foreign, nothing] = await Promise.all(
        [id, missing].map((requestedId) =>
          stranger.fetch(`/api/v1/conversions/${requestedId}${rest}`, { method }),
        ),
      );
      expect([method, rest, foreign!.status]).toEqual([method, rest, 404]);
      expect(await foreign!.text()).toBe(await nothing!.text());
    }
    expect(await look(user, id)).toMatchObject({ state: 'delivered' });
  });
});

test('one account may have five running conversions, and is told so at the sixth', async () => {
  served.transcriber.delayMs = 60_000;
  const user = served.user();
  const leaving = new AbortController();
  const ids: string[] = [];
  const begin = async () => {
    for await (const { event } of sendAndFollow(user, [twoPages], leaving.signal)) {
      if (event.type === 'accepted') ids.push(event.conversion_id);
      break;
    }
  };
  for (let count = 0; count < 5; count++) await begin();
  expect(ids).toHaveLength(5);
  const refused = await send(user, [twoPages]);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await refused.json()).toMatchObject({ code: 'TOO_MANY_REQUESTS' });
  // one that ends makes room, without waiting for the others to be read
  await user.fetch(`/api/v1/conversions/${ids[0]}`, { method: 'DELETE' });
  await begin();
  expect(ids).toHaveLength(6);
  leaving.abort();
  for (const id of ids.slice(1)) await user.fetch(`/api/v1/conversions/${id}`, { method: 'DELETE' });
});

test('one account may have twenty open streams; closing one makes room', async () => {
  const user = served.user();
  served.transcriber.delayMs = 60_000;
  const id = await start(user);
  const open = async () => {
    const leaving = new AbortController();
    const answer = await user.fetch(`/api/v1/conversions/${id}/events`, { signal: leaving.signal });
    // keeps the response referenced: an unreferenced body is closed by garbage collection
    return { answer, status: answer.status, close: () => leaving.abort() };
  };
  const streams = [];
  for (let count = 0; count < 20; count++) streams.push(await open());
  expect(streams.every(({ status }) => status === 200)).toBe(true);
  expect((await open()).status).toBe(429);
  streams[0]!.close();
  await eventually(async () => (await open()).status).toBe(200);
  for (const stream of streams) stream.close();
  await user.fetch(`/api/v1/conversions/${id}`, { method: 'DELETE' });
});

test('operators see pages, reasons and queue, but no content', async () => {
  const text = await served.registry.metrics();
  expect(text).toMatch(/inkproof_conversion_pages_total\{outcome="read"\} [1-9]/);
  expect(text).toMatch(/inkproof_conversions_refused_total\{code="INVALID_INPUT"\} [1-9]/);
  expect(text).toMatch(/inkproof_conversion_failures_total\{station="page",code="GENERATION_FAILED"\} [1-9]/);
  expect(text).toMatch(/inkproof_conversion_queue\{kind="page"\} 0/);
});
