/** The protocol on a real server with a real typesetter. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { readTreeCpuMs } from '#platform/work/cpu-time.ts';
import { sessionCloseCodes } from '#shared/api/compile-session.ts';
import { pdfText } from '#typesetting/testing/find-leak.ts';
import { boxedProcesses, jobFolders } from '#typesetting/testing/left-behind.ts';
import { type ServedRoutes, serveRoutes } from '../testing/serve-routes.ts';
import { openSession, type SessionClient } from '../testing/session-client.ts';

const tokens = new Map([
  ['token-of-ada', '11111111-1111-4111-8111-111111111111'],
  ['token-of-eve', '22222222-2222-4222-8222-222222222222'],
]);
let served: ServedRoutes;
const clients: SessionClient[] = [];
beforeAll(async () => {
  served = await serveRoutes({ tokens, sessionLimits: { perOwner: 3 } });
});
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  await until(() => served.sessions.count === 0);
});
afterAll(() => served.close());

const open = async (options?: Parameters<typeof openSession>[1]) => {
  const client = await openSession(served.address, options);
  clients.push(client);
  return client;
};
const wrap = (body: string) => `\\documentclass{article}\n\\begin{document}\n${body}\n\\end{document}\n`;
/** Compiles until it is stopped. */
const endless = wrap('\\loop\\iftrue\\repeat');
/** Some tenths of a second of counting, and then a page. */
const aWhile = '\\newcount\\n\\loop\\advance\\n1 \\ifnum\\n<2000000 \\repeat';
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** CPU time of the box that has used most, in ms, including its descendants. */
const countCpuMs = () => Math.max(0, ...boxedProcesses(served.workDir).map((pid) => readTreeCpuMs(pid) ?? 0));

async function until(condition: () => boolean): Promise<void> {
  for (let tries = 0; tries < 1_500 && !condition(); tries++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(condition()).toBe(true);
}

describe('a document that is edited', () => {
  test('shows each edit', async () => {
    const client = await open();
    const latex = wrap('Hello there');
    client.send({ type: 'open', version: 1, latex, figures: [] });
    const first = await client.final(1);
    expect(first).toMatchObject({ ok: true, page_count: 1, has_pdf: true });
    expect(pdfText(first.pdf!)).toContain('Hello there');
    const from = latex.indexOf('there');
    client.send({
      type: 'edit',
      version: 2,
      base: 1,
      changes: [
        { from, to: from + 5, insert: 'world' },
        { from: from + 5, to: from + 5, insert: ' — 𝒳 and so on' },
      ],
    });
    expect(pdfText((await client.final(2)).pdf!)).toContain('Hello world');
    // positions after a character of two units are still where the client says
    const end = latex.indexOf('\n\\end') + ' — 𝒳 and so on'.length;
    client.send({ type: 'edit', version: 3, base: 2, changes: [{ from: end - 5, to: end, insert: 'then' }] });
    expect(pdfText((await client.final(3)).pdf!)).toContain('and then');
  });

  test('of two quick edits only the newer one is shown', async () => {
    const client = await open();
    client.send({ type: 'open', version: 1, latex: endless });
    await client.next('compiling', ({ version }) => version === 1);
    client.send({ type: 'replace', version: 2, latex: wrap('the middle one') });
    client.send({ type: 'replace', version: 3, latex: wrap('the last one') });
    expect(pdfText((await client.final(3)).pdf!)).toContain('the last one');
    expect(
      client.received.filter(({ type }) => type === 'superseded').map((m) => 'version' in m && m.version),
    ).toEqual(expect.arrayContaining([1, 2]));
    const results = client.received.filter(({ type }) => type === 'result');
    expect(results.filter((m) => m.type === 'result' && m.final)).toHaveLength(1);
  });

  test('an edit based on a text the server does not have is answered with a request for all of it', async () => {
    const client = await open();
    client.send({ type: 'open', version: 5, latex: wrap('one') });
    await client.final(5);
    client.send({ type: 'edit', version: 9, base: 7, changes: [] });
    await client.next('resync');
    client.send({ type: 'replace', version: 9, latex: wrap('all of it') });
    expect(pdfText((await client.final(9)).pdf!)).toContain('all of it');
    // a version that does not grow is not a new text either
    client.received.length = 0;
    client.send({ type: 'edit', version: 9, base: 9, changes: [] });
    await client.next('resync');
  });

  test('errors come with their lines and the incomplete pages; once fixed, the page is shown', async () => {
    const client = await open();
    const latex = wrap('fine\n\\undefinedthing');
    client.send({ type: 'open', version: 1, latex, incomplete: true });
    const failed = await client.final(1);
    expect(failed).toMatchObject({
      ok: false,
      has_pdf: true,
      page_count: 1,
      error: {
        code: 'COMPILATION_FAILED',
        error: 'LaTeX compilation failed. Check the code or try the suggested fix.',
      },
    });
    expect(failed.messages[0]).toMatchObject({ file: 'main.tex', line: 4 });
    expect(pdfText(failed.pdf!)).toContain('fine');
    // such a page can be searched like any other
    client.send({ type: 'locate', version: 1, line: 3 });
    expect((await client.next('location')).place?.page).toBe(1);
    client.send({ type: 'replace', version: 2, latex: wrap('mended') });
    expect(pdfText((await client.final(2)).pdf!)).toContain('mended');
    // emptied, as by selecting all in an editor and deleting it
    client.send({ type: 'replace', version: 3, latex: '' });
    expect(await client.final(3)).toMatchObject({ ok: false, has_pdf: false });
  });

  test('a client that does not want incomplete pages gets none', async () => {
    const client = await open();
    client.send({ type: 'open', version: 1, latex: wrap('fine\n\\undefinedthing') });
    expect(await client.final(1)).toMatchObject({ ok: false, has_pdf: false, page_count: 0 });
  });

  test('an edit ends an endless loop, however long nothing has been shown', { timeout: 60_000 }, async () => {
    const client = await open();
    client.send({ type: 'open', version: 1, latex: wrap('good') });
    await client.final(1);
    const before = countCpuMs();
    client.send({ type: 'replace', version: 2, latex: endless });
    // longer than a compile that may be about to end is waited for
    await until(() => countCpuMs() - before > 2_000);
    client.send({ type: 'replace', version: 3, latex: wrap('good again') });
    expect(pdfText((await client.final(3)).pdf!)).toContain('good again');
    expect(client.received).toContainEqual({ type: 'superseded', version: 2 });
    expect(client.received.filter((m) => m.type === 'result' && m.version === 2)).toEqual([]);
  });

  test('continuous typing still updates the page', async () => {
    const client = await open();
    client.send({ type: 'open', version: 1, latex: wrap('start') });
    await client.final(1);
    client.received.length = 0;
    let version = 1;
    const isShown = () => client.received.some((m) => m.type === 'result' && m.has_pdf);
    // each stroke comes while the previous one is being compiled, which takes longer than reaching the server
    for (let strokes = 0; strokes < 400 && !isShown(); strokes++) {
      version += 1;
      client.send({ type: 'replace', version, latex: wrap(`${aWhile} stroke ${version}`) });
      await client.next('compiling', (m) => m.version === version);
    }
    expect(isShown()).toBe(true);
    expect(client.received.some(({ type }) => type === 'superseded')).toBe(true);
  });

  test('accepts figures, at first and later', async () => {
    const client = await open();
    const latex =
      '\\documentclass{article}\\usepackage{graphicx}\\begin{document}\\includegraphics{a.png}\\end{document}';
    client.send({ type: 'open', version: 1, latex });
    expect((await client.final(1)).ok).toBe(false);
    const figures = [{ name: 'a.png', media_type: 'image/png', data_base64: png }];
    client.send({ type: 'figures', version: 2, figures });
    expect((await client.final(2)).ok).toBe(true);
    client.send({ type: 'figures', version: 3, figures: [{ ...figures[0], name: 'main.png' }] });
    expect(await client.next('problem')).toMatchObject({ code: 'INVALID_INPUT' });
  });

  test('maps a line to the PDF, and back', async () => {
    const client = await open();
    client.send({ type: 'open', version: 1, latex: wrap('First.\n\n\\vspace{5cm}\n\nSecond here.') });
    await client.final(1);
    client.send({ type: 'locate', version: 1, line: 7 });
    const { place, version } = await client.next('location');
    expect(version).toBe(1);
    expect(place?.page).toBe(1);
    const { x, y, width, height } = place!.focus;
    // five centimetres are 142 points; above them are a margin and a line
    expect(y).toBeGreaterThan(250);
    client.send({ type: 'source', version: 1, page: 1, x: x + width / 2, y: y + height / 2 });
    expect(await client.next('source_position')).toMatchObject({ version: 1, line: 7 });
    client.received.length = 0;
    client.send({ type: 'source', version: 1, page: 99, x: 0, y: 0 });
    expect((await client.next('source_position')).line).toBeNull();
  });
});

describe('a document in several files', () => {
  const file = (name: string, text: string) => ({
    name,
    media_type: 'application/octet-stream' as const,
    data_base64: Buffer.from(text).toString('base64'),
  });
  const latex = wrap('\\input{parts/one}\n\n\\input{parts/two}');
  const one = 'The part ünder one.\n';
  const figures = [
    file('parts/one.tex', one),
    file('parts/two.tex', 'The other part.\n\n\\vspace{3cm}\n\nIts end.\n'),
  ];

  test('shows each edit of a part, by its own offsets', async () => {
    const client = await open();
    client.send({ type: 'open', version: 1, latex, figures });
    expect(pdfText((await client.final(1)).pdf!)).toContain('The other part');
    const from = one.indexOf('one');
    const changes = [{ from, to: from + 3, insert: 'eins' }];
    client.send({ type: 'edit', version: 2, base: 1, file: 'parts/one.tex', changes });
    expect(pdfText((await client.final(2)).pdf!)).toMatch(/part\s*ünder eins[\s\S]*The other part/);
    client.send({ type: 'edit', version: 3, base: 2, file: 'parts/gone.tex', changes });
    await client.next('resync');
  });

  test('says which part an error is in, and maps positions in each', async () => {
    const client = await open();
    client.send({ type: 'open', version: 1, latex, figures });
    await client.final(1);
    client.send({ type: 'locate', version: 1, file: 'parts/two.tex', line: 5 });
    const { place } = await client.next('location');
    const { x, y, width, height } = place!.focus;
    expect(y).toBeGreaterThan(200);
    client.send({ type: 'source', version: 1, page: 1, x: x + width / 2, y: y + height / 2 });
    expect(await client.next('source_position')).toMatchObject({ file: 'parts/two.tex', line: 5 });
    const changes = [{ from: 0, to: 0, insert: '\n\\wrong ' }];
    client.send({ type: 'edit', version: 2, base: 1, file: 'parts/one.tex', changes });
    const { ok, messages } = await client.final(2);
    expect(ok).toBe(false);
    expect(messages[0]).toMatchObject({ level: 'error', file: 'parts/one.tex', line: 2 });
  });
});

describe('a client that leaves', () => {
  // warm engines stay for the next compile, so leftovers can be detected only without them
  let cold: ServedRoutes;
  beforeAll(async () => {
    cold = await serveRoutes({ strategies: ['cold'] });
  });
  afterAll(() => cold.close());
  const begin = async () => {
    const client = await openSession(cold.address);
    client.send({ type: 'open', version: 1, latex: endless });
    await until(() => boxedProcesses(cold.workDir).length > 0);
    return client;
  };

  test.each(['close', 'terminate'] as const)('ends the compile (%s)', async (way) => {
    const client = await begin();
    client.socket[way]();
    await until(() => boxedProcesses(cold.workDir).length === 0 && jobFolders(cold.workDir).length === 0);
  });

  test('by closing the document', async () => {
    const client = await begin();
    client.send({ type: 'close' });
    expect(await client.closed).toBe(1000);
    await until(() => boxedProcesses(cold.workDir).length === 0);
  });
});

describe('a stop', () => {
  // running work can be distinguished from waiting engines only if there are none
  let cold: ServedRoutes;
  const trash = new Set<string>();
  const documentId = '33333333-3333-4333-8333-333333333333';
  beforeAll(async () => {
    cold = await serveRoutes({
      tokens,
      strategies: ['cold'],
      isDocumentThere: async (userId, id) => !trash.has(`${userId}/${id}`),
    });
  });
  afterAll(() => cold.close());
  const nothingRuns = () =>
    until(() => boxedProcesses(cold.workDir).length === 0 && jobFolders(cold.workDir).length === 0);

  test('ends only the compile: the next edit is compiled', async () => {
    const client = await openSession(cold.address);
    clients.push(client);
    client.send({ type: 'open', version: 1, latex: endless });
    await until(() => boxedProcesses(cold.workDir).length > 0);
    client.send({ type: 'stop' });
    await client.next('stopped', ({ version }) => version === 1);
    await nothingRuns();
    // without a compile there is nothing to stop
    client.send({ type: 'stop' });
    client.send({ type: 'replace', version: 2, latex: wrap('going on') });
    expect(pdfText((await client.final(2)).pdf!)).toContain('going on');
    expect(client.received.map(({ type }) => type)).toEqual([
      'accepted',
      'compiling',
      'stopped',
      'accepted',
      'compiling',
      'result',
    ]);
  });

  test('happens automatically when the document is deleted', async () => {
    const client = await openSession(cold.address);
    clients.push(client);
    const token = 'token-of-ada';
    client.send({ type: 'open', version: 1, latex: endless, token, document_id: documentId });
    await until(() => boxedProcesses(cold.workDir).length > 0);
    trash.add(`${tokens.get(token)}/${documentId}`);
    await client.next('stopped', ({ version }) => version === 1);
    await nothingRuns();
    expect(client.received.filter(({ type }) => type === 'problem')).toEqual([]);
  });
});

describe('who may open one', () => {
  test('our own pages, and programs without an origin', async () => {
    await open({ headers: { Origin: served.address } });
    for (const Origin of ['https://evil.example', 'null'])
      await expect(openSession(served.address, { headers: { Origin } })).rejects.toThrow('403');
  });

  test('with this protocol, at this path', async () => {
    await expect(openSession(served.address, { protocols: ['inkproof.compile-session.9'] })).rejects.toThrow(
      '400',
    );
    await expect(openSession(`${served.address}/elsewhere`)).rejects.toThrow('404');
    const plain = await fetch(`${served.address}/api/v1/compile-session`);
    expect([plain.status, ((await plain.json()) as { code: string }).code]).toEqual([400, 'INVALID_INPUT']);
  });

  test('a new visitor gets a cookie, and counts as one visitor with it', async () => {
    let cookie = '';
    const client = await openSession(served.address);
    clients.push(client);
    const { WebSocket } = await import('ws');
    const probe = new WebSocket(
      `${served.address.replace('http', 'ws')}/api/v1/compile-session`,
      'inkproof.compile-session.1',
    );
    probe.on('upgrade', (response) => {
      cookie = response.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
    });
    await new Promise((resolve) => probe.once('open', resolve));
    probe.terminate();
    expect(cookie).toMatch(/^inkproof_visitor=/);
    await until(() => served.sessions.count === 1);
    for (const _ of [1, 2, 3]) await open({ headers: { Cookie: cookie } });
    await expect(openSession(served.address, { headers: { Cookie: cookie } })).rejects.toThrow('429');
    // one that ends makes room
    await clients.at(-1)!.close();
    await until(() => served.sessions.count === 3);
    await open({ headers: { Cookie: cookie } });
  });

  test('an account, by its token; an invalid token is rejected, not treated as a visitor', async () => {
    const client = await open();
    client.send({ type: 'open', version: 1, latex: wrap('x'), token: 'token-of-ada' });
    expect((await client.final(1)).ok).toBe(true);
    // refreshed, and then somebody else's
    client.send({ type: 'token', token: 'token-of-ada' });
    client.send({ type: 'replace', version: 2, latex: wrap('y') });
    await client.final(2);
    client.send({ type: 'token', token: 'token-of-eve' });
    expect(await client.closed).toBe(sessionCloseCodes.unauthorized);

    const stranger = await open();
    stranger.send({ type: 'open', version: 1, latex: wrap('x'), token: 'made-up' });
    expect(await stranger.closed).toBe(sessionCloseCodes.unauthorized);
    expect(stranger.received).toMatchObject([{ type: 'problem', code: 'UNAUTHORIZED' }]);
  });

  test('an account may have a limited number of documents open, from anywhere', async () => {
    for (const _ of [1, 2, 3]) {
      const client = await open();
      client.send({ type: 'open', version: 1, latex: wrap('x'), token: 'token-of-ada' });
      await client.next('accepted');
    }
    const client = await open();
    client.send({ type: 'open', version: 1, latex: wrap('x'), token: 'token-of-ada' });
    expect(await client.closed).toBe(sessionCloseCodes.full);
    expect(client.received).toMatchObject([{ type: 'problem', code: 'TOO_MANY_REQUESTS' }]);
    const other = await open();
    other.send({ type: 'open', version: 1, latex: wrap('x'), token: 'token-of-eve' });
    await other.next('accepted');
  });
});

describe('invalid messages', () => {
  test.each([
    ['bytes', new Uint8Array([1, 2, 3]), 1003],
    ['no JSON', '{"type":', 1008],
    ['no object', '7', 1008],
    ['no type of ours', { type: 'shutdown' }, 1008],
    ['an edit before anything', { type: 'edit', version: 2, base: 1, changes: [] }, 1008],
    ['a version that is no number', { type: 'open', version: 'one', latex: 'x' }, 1008],
    ['a text that is too long', { type: 'open', version: 1, latex: 'x'.repeat(2_000_001) }, 1008],
    ['a token that is none', { type: 'open', version: 1, latex: 'x', token: 'made up' }, 1008],
    ['a figure outside its folder', openWith({ name: '../a.png' }), 1008],
    ['a figure that is none', openWith({ name: 'a.png', data_base64: 'no base64!' }), 1008],
    ['a message larger than any', 'x'.repeat(50_000_000), 1009],
  ])('%s closes the session and nothing else', async (_, message, code) => {
    const client = await open();
    client.send(message);
    expect(await client.closed).toBe(code);
    expect((await fetch(`${served.address}/api/v1/compile-session`)).status).toBe(400);
  });

  test('changes that do not fit are rejected, and the document is unchanged', async () => {
    const client = await open();
    const latex = wrap('as it was');
    client.send({ type: 'open', version: 1, latex });
    await client.final(1);
    for (const changes of [
      [{ from: 0, to: latex.length + 1, insert: '' }],
      [{ from: 5, to: 4, insert: '' }],
      [
        { from: 5, to: 9, insert: '' },
        { from: 8, to: 9, insert: '' },
      ],
    ]) {
      client.received.length = 0;
      client.send({ type: 'edit', version: 2, base: 1, changes });
      await client.next('resync');
      expect(client.received).toMatchObject([{ type: 'problem', code: 'INVALID_INPUT' }, { type: 'resync' }]);
    }
    const end = latex.indexOf('\n\\end');
    client.send({ type: 'edit', version: 2, base: 1, changes: [{ from: end, to: end, insert: ', and is' }] });
    expect(pdfText((await client.final(2)).pdf!)).toContain('as it was, and is');
  });

  test('half a surrogate pair, followed by the other half', async () => {
    const client = await open();
    const latex = wrap('A B');
    client.send({ type: 'open', version: 1, latex });
    const at = latex.indexOf('A B') + 1;
    client.send({ type: 'edit', version: 2, base: 1, changes: [{ from: at, to: at, insert: '\ud835' }] });
    await client.final(2);
    client.send({
      type: 'edit',
      version: 3,
      base: 2,
      changes: [{ from: at + 1, to: at + 1, insert: '\udcb3' }],
    });
    expect((await client.final(3)).ok).toBe(true);
  });

  test('a flood of them', async () => {
    const client = await open();
    client.send({ type: 'open', version: 1, latex: wrap('x') });
    for (let count = 0; count < 700; count++) client.send({ type: 'locate', version: 1, line: 1 });
    expect(await client.closed).toBe(1008);
  });
});

function openWith(figure: { name: string; data_base64?: string }) {
  return {
    type: 'open',
    version: 1,
    latex: wrap('x'),
    figures: [{ media_type: 'image/png', data_base64: png, ...figure }],
  };
}

describe('abandoned sessions', () => {
  test('a client that is gone, one that opens nothing, one that is idle', async () => {
    const hasty = await serveRoutes({ sessionLimits: { pingMs: 100, openMs: 150, idleMs: 1_000_000 } });
    const nothing = await openSession(hasty.address);
    expect(await nothing.closed).toBe(1008);
    const gone = await openSession(hasty.address);
    gone.send({ type: 'open', version: 1, latex: wrap('x') });
    await gone.next('accepted');
    (gone.socket as unknown as { _socket: { pause(): void } })._socket.pause();
    await until(() => hasty.sessions.count === 0);
    gone.socket.terminate();
    await hasty.close();

    const idle = await serveRoutes({ sessionLimits: { pingMs: 100, idleMs: 200 } });
    const client = await openSession(idle.address);
    client.send({ type: 'open', version: 1, latex: wrap('x') });
    expect(await client.closed).toBe(sessionCloseCodes.idle);
    await idle.close();
  });

  test('a stopping server ends them all, with their compiles', async () => {
    const stopping = await serveRoutes({ strategies: ['cold'] });
    const client = await openSession(stopping.address);
    client.send({ type: 'open', version: 1, latex: endless });
    await until(() => boxedProcesses(stopping.workDir).length > 0);
    await stopping.sessions.close();
    expect(boxedProcesses(stopping.workDir)).toEqual([]);
    expect([1001, 1006]).toContain(await client.closed);
    await stopping.close();
  });
});
