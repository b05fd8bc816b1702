// The product as it runs: real server on a real port, real database, storage and typesetter.
import http from 'node:http';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ErrorObject } from '#shared/api/errors.ts';
import { startTestServer, type TestServer } from '../test-support/product/server.ts';

const secrets = {
  SECRET_KEY: 'planted-secret-key-planted-secret-key',
  AI_API_KEY: 'planted-ai-key',
  AI_BASE_URL: 'http://127.0.0.1:9/planted-address',
  AWS_ACCESS_KEY_ID: 'planted-access',
  AWS_SECRET_ACCESS_KEY: 'planted-access-secret',
};
let server: TestServer;
const call = (address: string, options?: RequestInit) => fetch(new URL(address, server.address), options);

beforeAll(async () => {
  server = await startTestServer({ ...secrets, LOG_LEVEL: 'trace', SUPPORT_EMAIL: 'help@ink.example' });
});
afterAll(() => server?.close());

test('one process may hold several servers', async () => {
  const second = await startTestServer();
  expect((await fetch(new URL('/readyz', second.address))).status).toBe(200);
  await second.close();
  expect((await call('/metrics')).status).toBe(200);
});

describe('for supervisors', () => {
  test('/healthz and /readyz report that the server is alive and its services work', async () => {
    expect(await (await call('/healthz')).json()).toEqual({ status: 'ok' });
    const ready = await call('/readyz');
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { status: 'ready', checks: { database: 'ok', storage: 'ok', data_folder: 'ok', sandbox: 'ok' } },
    ]);
  });

  test('/metrics answers direct callers on this machine, and nobody behind a proxy', async () => {
    await call('/api/v1/config');
    const text = await (await call('/metrics')).text();
    expect(text).toMatch(
      /inkproof_http_request_seconds_count\{method="GET",route="\/api\/v1\/config",status="200"\} \d/,
    );
    for (const header of ['X-Forwarded-For', 'Forwarded']) {
      const response = await call('/metrics', { headers: { [header]: '127.0.0.1' } });
      expect(response.status).toBe(404);
    }
  });
});

describe('answers', () => {
  test('the public configuration contains what a browser needs and no secret', async () => {
    const response = await call('/api/v1/config');
    const text = await response.text();
    expect(JSON.parse(text)).toEqual({
      reader: 'vision-model',
      online_editor_url: 'https://www.overleaf.com/docs',
      support_email: 'help@ink.example',
      inbox_url: expect.stringMatching(/^http:\/\/localhost:\d+\/inbox$/),
      identity: expect.objectContaining({ url: expect.stringMatching(/^http:\/\/localhost:\d+$/) }),
    });
    expect(text).not.toContain('planted');
    expect(response.headers.get('Set-Cookie')).toBeNull();
  });

  test.each([
    ['GET', '/api/v1/nothing', undefined, 404, 'NOT_FOUND'],
    ['DELETE', '/api/v1/config', undefined, 404, 'NOT_FOUND'],
    ['POST', '/api/v1/compile', '{"latex":', 400, 'INVALID_INPUT'],
    ['POST', '/api/v1/compile', '{"latex":7}', 400, 'INVALID_INPUT'],
    ['POST', '/api/v1/compile', '{}', 400, 'INVALID_INPUT'],
    ['POST', '/api/v1/compile', `{"latex":"${'x'.repeat(2_000_001)}"}`, 400, 'INVALID_INPUT'],
    ['POST', '/api/v1/compile', 'x'.repeat(50_000_000), 400, 'INVALID_INPUT'],
  ])('%s %s is rejected in the catalogue’s format', async (method, address, body, status, code) => {
    const response = await call(address, {
      method,
      body,
      headers: body ? { 'Content-Type': 'application/json' } : {},
    });
    expect(response.status).toBe(status);
    expect(ErrorObject.parse(await response.json())).toMatchObject({ code, source: 'user' });
    expect(response.headers.get('X-Request-Id')).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each<[string | RegExp, unknown]>([
    ['“latex” is missing.', {}],
    ['“latex” has to be text.', { latex: 7 }],
    ['“latex” is empty.', { latex: '' }],
    ['The request has to be an object.', []],
    ['“latex” is too long: it may have at most 2,000,000 characters.', { latex: 'x'.repeat(2_000_001) }],
    [
      '“figures.0.name” does not have the expected form.',
      { latex: 'x', figures: [{ name: 'a/../b', media_type: 'image/png', data_base64: '' }] },
    ],
    [/^“engine” has to be one of xelatex, pdflatex, lualatex\.$/, { latex: 'x', engine: 'word' }],
  ])('invalid requests are rejected with a message: %s', async (sentence, json) => {
    const response = await call('/api/v1/compile', {
      method: 'POST',
      body: JSON.stringify(json),
      headers: { 'Content-Type': 'application/json' },
    });
    expect((await response.json()).error).toMatch(sentence);
  });

  test('a call from a page on another site changes nothing', async () => {
    const response = await call('/api/v1/compile', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: 'https://evil.example' },
      body: JSON.stringify({ latex: 'x' }),
    });
    expect(response.status).toBe(400);
    expect((await response.json()).error).toMatch(/another site.*PUBLIC_URL/);
    expect(response.headers.get('Access-Control-Allow-Origin')).toBeNull();
  });

  test('every answer has the security headers', async () => {
    for (const address of ['/', '/api/v1/config', '/healthz', '/api/v1/nothing']) {
      const { headers } = await call(address);
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('Content-Security-Policy')).toMatch(/frame-ancestors 'none'/);
    }
  });
});

describe('the log', () => {
  const marker = 'marker-77031';

  test('never contains what people send, and every line of a request has its id', async () => {
    const latex = `\\documentclass{article}\\begin{document}${marker} \\undefinedcommand${'\\x'}\\end{document}`;
    const json = (address: string, body: unknown) =>
      call(address, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          Cookie: `other=${marker}`,
          'User-Agent': marker,
          Referer: `http://${marker}.example/`,
          'X-Forwarded-For': marker,
        },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
    const form = () => {
      const data = new FormData();
      data.append('file', new Blob([`%PDF-1.4 ${marker}`], { type: 'application/pdf' }), `${marker}.pdf`);
      data.append('watermark_text', marker);
      data.append(marker, marker);
      return data;
    };
    const answers = [
      await json('/api/v1/compile', { latex }),
      await json('/api/v1/compile', { latex: [marker] }),
      await json('/api/v1/compile', `{"latex": ${marker}`),
      await json('/api/v1/request-change', { latex, feedback: marker }),
      await call('/api/v1/watermark', { method: 'POST', body: form() }),
      await call('/api/v1/process', { method: 'POST', body: form() }),
      await call(`/api/v1/${marker}?q=${marker}`),
      await call(`/api/v1/conversions/${marker}`),
      await call(`/api/v1/conversions/${marker}/pages/${marker}/retry`, { method: 'POST' }),
      await call(`/documents/${marker}?q=${marker}#${marker}`),
      await call(`/${marker}.js`),
      await call('/api/v1/account/sessions', { headers: { Authorization: `Bearer ${marker}` } }),
      await call(`/api/v1/account/sessions/${marker}`, { method: 'DELETE' }),
      await json('/api/v1/check-address', { email: `${marker}@${marker}.example` }),
      await sendRaw(
        `GET /${marker} HTTP/1.1\r\nHost: ${marker}\r\n${marker}: ${marker}\r\nConnection: close\r\n\r\n`,
      ),
      await sendRaw(`${marker} / HTTP/1.1\r\n\r\n`),
    ];
    expect(answers).toHaveLength(16);
    const ids = answers.flatMap((answer) =>
      answer instanceof Response ? [answer.headers.get('X-Request-Id')!] : [],
    );
    const log = server.readLog();
    expect(log).not.toContain(marker);
    expect(log).not.toContain('planted');
    expect(log).not.toMatch(/127\.0\.0\.1|::1|help@ink\.example/);
    for (const id of ids) expect(log).toContain(`"requestId":"${id}"`);
  });
});

/** Sends what fetch would refuse to send. */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { port } = new URL(server.address);
    const request = http.request({ port, host: '127.0.0.1' });
    request.once('socket', (socket) => {
      let answer = '';
      socket.on('connect', () => socket.write(text));
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      socket.once('close', () => resolve(answer));
      socket.once('error', reject);
    });
    request.on('error', () => {});
  });
}

// last: its refusal closes the connection, so a call after it would be lost
test.each([
  [1_000, 422],
  [60_000_000, 400],
])('a body of unknown length is read to its limit: %s bytes answer %s', async (sizeBytes, status) => {
  const parts = function* () {
    yield '{"latex":"\\\\documentclass{article}\\\\begin{document}\\\\wrong ';
    for (let sent = 0; sent < sizeBytes; sent += 1_000) yield 'x'.repeat(1_000);
    yield '\\\\end{document}"}';
  };
  const response = await call('/api/v1/compile', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: Readable.toWeb(Readable.from(parts(), { objectMode: false })),
    duplex: 'half',
  } as RequestInit);
  expect(response.status).toBe(status);
  expect(ErrorObject.parse(await response.json()).code).toBe(
    status === 422 ? 'COMPILATION_FAILED' : 'INVALID_INPUT',
  );
});
