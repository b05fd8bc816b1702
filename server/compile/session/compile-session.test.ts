/** The protocol on a real server with a real typesetter. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readTreeCpuMs } from '#platform/work/cpu-time.ts';
import { pdfText } from '#typesetting/testing/find-leak.ts';
import { boxedProcesses, jobFolders } from '#typesetting/testing/left-behind.ts';
import { endless, openSessions, png, tokens, until, wrap } from '../testing/open-sessions.ts';
import { type ServedRoutes, serveRoutes } from '../testing/serve-routes.ts';
import { openSession } from '../testing/session-client.ts';

const { served, clients, open } = await openSessions();
/** Some tenths of a second of counting, and then a page. */
const aWhile = '\\newcount\\n\\loop\\advance\\n1 \\ifnum\\n<2000000 \\repeat';

/** CPU time of the box that has used most, in ms, including its descendants. */
const countCpuMs = () => Math.max(0, ...boxedProcesses(served.workDir).map((pid) => readTreeCpuMs(pid) ?? 0));

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
