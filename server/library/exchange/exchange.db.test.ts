// Import, export, templates and the personal preamble, on the whole product.
import { randomUUID } from 'node:crypto';
import { strFromU8, strToU8, unzipSync, type Zippable, zipSync } from 'fflate';
import { afterAll, describe, expect, test } from 'vitest';
import type { Imported, PersonalPreamble, PreambleRefused } from '#shared/api/exchange.ts';
import type { Folder, SavedDocument } from '#shared/api/library.ts';
import { chooseFrom } from '../../../test-support/matrix.ts';
import { bearerOf, startIdentityServer } from '../../../test-support/product/identity.ts';

/** A complete PNG of 3 by 2 pixels. */
const png = new Uint8Array(
  Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGM4kWIEQQxwFgBVoAg1rtvKGQAAAABJRU5ErkJggg==',
    'base64',
  ),
);

// no worker: only what a test requests is compiled
const product = await startIdentityServer({ ROLES: 'web' });
const [ada, eve] = [await product.createAccount(), await product.createAccount()];
afterAll(() => product.close());

const { call } = product;

async function create(latex: string, given: object = {}, account = ada): Promise<SavedDocument> {
  return (await (await call(account, 'POST', '/documents', { latex, ...given })).json()) as SavedDocument;
}

function send(
  fileName: string,
  content: string | Uint8Array,
  fields: Record<string, string> = {},
  account = ada,
): Promise<Response> {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new File([typeof content === 'string' ? content : new Uint8Array(content)], fileName));
  return call(account, 'POST', '/documents/import', form);
}

const zip = (files: Zippable) => zipSync(files);
const wrap = (body: string, head = '') =>
  `\\documentclass{article}\n\\usepackage{graphicx}${head}\n\\begin{document}\n${body}\n\\end{document}\n`;
const refusal = async (response: Response) => (await response.json()) as { code: string; error: string };

describe('import', () => {
  test('a .tex file, into a folder, once per save', async () => {
    const folder = (await (await call(ada, 'POST', '/folders', { name: 'In' })).json()) as Folder;
    const fields = { folder_id: folder.id, save_id: randomUUID() };
    const latex = wrap('Hello', '\\title{Üb 3: Gruppen}');
    const answers = [await send('a.tex', latex, fields), await send('a.tex', latex, fields)];
    expect(answers.map(({ status }) => status)).toEqual([201, 201]);
    const [first, second] = (await Promise.all(answers.map((one) => one.json()))) as Imported[];
    expect(first!.document).toMatchObject({
      title: 'Üb 3: Gruppen',
      folder_id: folder.id,
      latex,
      version: 1,
    });
    expect(second!.document.id).toBe(first!.document.id);
    expect((await send('a.tex', latex, { folder_id: folder.id }, eve)).status).toBe(404);
    expect((await send('a.tex', latex, { folder_id: 'no' })).status).toBe(400);
  });

  test('a .zip with its files, which compile and are exported unchanged', {
    timeout: 90_000,
  }, async () => {
    const archive = zip({
      'paper/main.tex': strToU8(
        wrap('\\input{parts/one}\\includegraphics[width=1cm]{img/plot.png}\\mymark', '\n\\usepackage{own}'),
      ),
      'paper/parts/one.tex': strToU8('Part one.'),
      'paper/img/plot.png': png,
      'paper/own.sty': strToU8('\\newcommand{\\mymark}{marked}'),
      'paper/notes.txt': strToU8('not used'),
    });
    const answer = await send('Seminar.zip', archive);
    const { document, missing } = (await answer.json()) as Imported;
    expect([answer.status, missing, document.title]).toEqual([201, [], 'Seminar']);
    expect(document.latex).toContain('\\input{parts/one}');
    expect(document.figures.map(({ name, media_type }) => [name, media_type])).toEqual([
      ['img/plot.png', 'image/png'],
      ['notes.txt', 'application/octet-stream'],
      ['own.sty', 'application/octet-stream'],
      ['parts/one.tex', 'application/octet-stream'],
    ]);
    const style = await call(ada, 'GET', `/documents/${document.id}/figures/own.sty`);
    expect(style.headers.get('Content-Disposition')).toBe('attachment');
    const pdf = await call(ada, 'GET', `/documents/${document.id}/export?format=pdf`);
    expect([pdf.status, (await pdf.bytes()).subarray(0, 5).toString()]).toEqual([200, '37,80,68,70,45']);
    const out = await call(ada, 'GET', `/documents/${document.id}/export?format=zip`);
    const files = unzipSync(await out.bytes());
    expect(Object.keys(files).sort()).toEqual([
      'img/plot.png',
      'latexmkrc',
      'main.tex',
      'notes.txt',
      'own.sty',
      'parts/one.tex',
    ]);
    const again = (await (await send('x.zip', zip(files))).json()) as Imported;
    expect(again.document.latex).toBe(document.latex);
    expect(again.document.figures).toEqual(document.figures);
  });

  test.each<[string, string, string | Uint8Array, string]>([
    ['nothing', 'a.tex', '', 'The file is empty.'],
    ['no document', 'a.tex', 'Dear diary', 'it has no \\documentclass'],
    ['no archive', 'a.zip', 'not one', 'This is not a ZIP archive'],
    ['a damaged archive', 'a.zip', 'PK not one', 'damaged or encrypted'],
    ['a place outside', 'a.zip', zip({ '../main.tex': strToU8(wrap('x')) }), 'which is not allowed'],
    [
      'a bomb',
      'a.zip',
      zip({ 'main.tex': [new Uint8Array(61_000_000), { level: 9 }] }),
      'far more than it should',
    ],
  ])('rejects %s with a message, and stores nothing', async (_, name, content, sentence) => {
    const countStored = async () =>
      ((await (await call(ada, 'GET', '/documents')).json()) as { total: number }).total;
    const before = await countStored();
    const answer = await send(name, content);
    const { code, error } = await refusal(answer);
    expect([answer.status, code]).toEqual([400, 'INVALID_INPUT']);
    expect(error).toContain(sentence);
    expect(await countStored()).toBe(before);
  });

  test('says when there is no file, and when the library is full', async () => {
    const none = await call(ada, 'POST', '/documents/import', new FormData());
    expect(none.status).toBe(400);
    const { id } = await product.createAccount();
    await product.sql('update user_credits set document_limit = 0 where user_id = $1', [eve.id]);
    const full = await send('a.tex', wrap('x'), {}, eve);
    expect([full.status, (await refusal(full)).code]).toEqual([403, 'DOCUMENT_LIMIT_EXCEEDED']);
    await product.sql('update user_credits set document_limit = 200 where user_id = $1', [eve.id]);
    expect(id).not.toBe('');
  });
});

describe('export', () => {
  const title = 'Théorie: 積分 1/2';
  const latex = wrap('Energy $E=mc^2$.');

  test.each([
    ['tex', '.tex', 'application/x-tex', '\\documentclass'],
    ['zip', '.zip', 'application/zip', 'PK'],
    ['pdf', '.pdf', 'application/pdf', '%PDF-'],
    ['docx', '.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'PK'],
    ['html', '.html', 'text/html', '<!'],
    ['markdown', '.md', 'text/markdown', '---'],
  ])(
    '%s is named after the title, and only for its owner',
    { timeout: 60_000 },
    async (format, ending, type, start) => {
      const { id } = await create(latex, { title });
      const answer = await call(ada, 'GET', `/documents/${id}/export?format=${format}`);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('Content-Type')).toMatch(type);
      const name = encodeURIComponent(`Théorie 積分 1 2${ending}`);
      expect(answer.headers.get('Content-Disposition')).toContain(`filename*=UTF-8''${name}`);
      expect(answer.headers.get('Cache-Control')).toContain('no-store');
      const body = await answer.bytes();
      if (format !== 'markdown') expect(strFromU8(body.subarray(0, start.length), true)).toBe(start);
      const foreign = await call(eve, 'GET', `/documents/${id}/export?format=${format}`);
      expect([foreign.status, (await refusal(foreign)).code]).toEqual([404, 'NOT_FOUND']);
    },
  );

  test('of a text that does not compile: the other formats work, and the PDF reports the errors', async () => {
    const { id } = await create(wrap('\\undefinedhere'));
    const pdf = await call(ada, 'GET', `/documents/${id}/export?format=pdf`);
    expect(pdf.status).toBe(422);
    expect(await pdf.json()).toMatchObject({ code: 'COMPILATION_FAILED', messages: [{ line: 4 }] });
    expect((await call(ada, 'GET', `/documents/${id}/export?format=docx`)).status).toBe(200);
    expect((await call(ada, 'GET', `/documents/${id}/export?format=odt`)).status).toBe(400);
    expect((await call(ada, 'GET', '/documents/none/export?format=tex')).status).toBe(404);
  });

  test('of too many at once says when to try again', async () => {
    const { id } = await create(wrap('$x^2$ and words.'));
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => call(ada, 'GET', `/documents/${id}/export?format=docx`)),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(16);
    for (const answer of refused) {
      expect(answer.status).toBe(429);
      expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(0);
    }
    // and not for ever
    expect((await call(ada, 'GET', `/documents/${id}/export?format=html`)).status).toBe(200);
  });

  test('of everything: folders as paths, only one’s own documents, without the trash', async () => {
    const owner = await product.createAccount();
    const folder = (await (await call(owner, 'POST', '/folders', { name: 'Analysis' })).json()) as Folder;
    const inner = (await (
      await call(owner, 'POST', '/folders', { name: 'Week 1', parent_id: folder.id })
    ).json()) as Folder;
    const figures = [
      { name: 'a.png', media_type: 'image/png', data_base64: Buffer.from(png).toString('base64') },
    ];
    await create('one', { title: 'Limits', folder_id: inner.id, figures }, owner);
    await create('two', { title: 'Analysis' }, owner);
    const trashed = await create('three', { title: 'Gone' }, owner);
    await call(owner, 'POST', `/documents/${trashed.id}/trash`);
    const answer = await call(owner, 'GET', '/library/export');
    expect(answer.headers.get('Content-Disposition')).toContain('Inkproof documents.zip');
    const files = unzipSync(await answer.bytes());
    expect(Object.keys(files).sort()).toEqual([
      'Analysis (2)/latexmkrc',
      'Analysis (2)/main.tex',
      'Analysis/Week 1/Limits/a.png',
      'Analysis/Week 1/Limits/latexmkrc',
      'Analysis/Week 1/Limits/main.tex',
    ]);
    expect(strFromU8(files['Analysis/Week 1/Limits/main.tex']!)).toBe('one');
    expect(Object.keys(unzipSync(await (await call(eve, 'GET', '/library/export')).bytes()))).toEqual([]);
  });

  test('of everything stops when the client stops reading, and makes room for the next', async () => {
    const owner = await product.createAccount();
    const noise = Array.from({ length: 60_000 }, () => randomUUID()).join('\n');
    for (let count = 0; count < 4; count++) await create(noise, {}, owner);
    for (let count = 0; count < 5; count++) {
      const controller = new AbortController();
      const answer = await fetch(new URL('/api/v1/library/export', product.address), {
        headers: bearerOf(owner.client),
        signal: controller.signal,
      });
      expect(answer.status).toBe(200);
      await answer.body!.getReader().read();
      controller.abort();
      await expect
        .poll(async () => {
          const next = await call(owner, 'GET', '/library/export');
          await next.body?.cancel();
          return next.status;
        })
        .toBe(200);
    }
  });
});

describe('templates and the personal preamble', () => {
  const get = async (account = ada) =>
    (await (await call(account, 'GET', '/preamble')).json()) as PersonalPreamble;
  const put = (content: Partial<PersonalPreamble> & { base_version: number }, account = ada) =>
    call(account, 'PUT', '/preamble', { preamble: '', notation: [], ...content });
  const sign = (command: string, latex: string, meaning = '') => ({ command, latex, meaning });

  test('each template creates a document that compiles', async () => {
    const { templates } = (await (await call(ada, 'GET', '/templates')).json()) as {
      templates: { id: string; name: string }[];
    };
    expect(templates.map(({ id }) => id)).toContain('blank');
    // the blank one and the homework are compiled below
    for (const { id, name } of chooseFrom(import.meta.filename, templates.toReversed(), 1)) {
      const answer = await call(ada, 'POST', '/documents/from-template', { template: id });
      const document = (await answer.json()) as SavedDocument;
      expect(document.title).toBe(id === 'blank' ? 'Untitled document' : name);
      expect((await call(ada, 'GET', `/documents/${document.id}/export?format=pdf`)).status, id).toBe(200);
    }
    expect((await call(ada, 'POST', '/documents/from-template', { template: 'no' })).status).toBe(400);
  });

  test('a preamble that compiles is stored, as a new version, for its owner', async () => {
    expect(await get()).toEqual({ version: 0, preamble: '', notation: [] });
    const notation = [sign('\\R', '\\mathbb{R}', 'the reals'), sign('\\ie', 'i.\\,e.\\ \\textit{so}')];
    const preamble = '% mine\n\\usepackage{booktabs}\n\\newcommand{\\norm}[1]{\\lVert #1\\rVert}';
    const saved = await put({ base_version: 0, preamble, notation });
    expect([saved.status, await saved.json()]).toEqual([200, { version: 1, preamble, notation }]);
    const late = await put({ base_version: 0, preamble: '' });
    expect(late.status).toBe(409);
    expect(await late.json()).toMatchObject({ code: 'VERSION_CONFLICT', current: { version: 1, preamble } });
    expect(await get(eve)).toEqual({ version: 0, preamble: '', notation: [] });
  });

  const refusals: [string, Partial<PersonalPreamble>, { in: string; place: number }[]][] = [
    ['a line that is none', { preamble: '\\usepackage{booktabs}\n\nHello' }, [{ in: 'preamble', place: 3 }]],
    [
      'a package that is none',
      { preamble: '% a\n\\usepackage{nosuchpackage}' },
      [{ in: 'preamble', place: 2 }],
    ],
    [
      'a sign that is defined twice',
      { preamble: '\\newcommand{\\R}{R}', notation: [sign('\\R', '\\mathbb{R}')] },
      [{ in: 'notation', place: 1 }],
    ],
    [
      'a sign that does not compile',
      { notation: [sign('\\R', '\\mathbb{R}'), sign('\\bad', '\\undefinedhere'), sign('\\T', 'T')] },
      [{ in: 'notation', place: 2 }],
    ],
    [
      'a name that LaTeX has',
      { preamble: '\\newcommand{\\norm}[1]{#1}\n\\newcommand{\\frac}[2]{#1}' },
      [{ in: 'preamble', place: 2 }],
    ],
    [
      'a sign that never ends',
      { notation: [sign('\\x', 'a'), sign('\\y', '\\y\\y')] },
      [{ in: 'notation', place: 2 }],
    ],
    [
      'what opens files',
      { preamble: '\\newcommand{\\x}{\\input{/etc/passwd}}' },
      [{ in: 'preamble', place: 1 }],
    ],
  ];
  test.each(chooseFrom(import.meta.filename, refusals, 4))(
    'rejects %s, and says where',
    async (_, content, places) => {
      const before = await get();
      const answer = await put({ ...content, base_version: before.version });
      const body = (await answer.json()) as PreambleRefused;
      expect([answer.status, body.code]).toEqual([422, 'COMPILATION_FAILED']);
      expect(body.refused.map(({ in: where, place }) => ({ in: where, place }))).toEqual(places);
      for (const { message } of body.refused) expect(message.length).toBeGreaterThan(5);
      expect(await get()).toEqual(before);
    },
  );

  test('is in new documents, without what clashes with a template', async () => {
    const account = await product.createAccount();
    const preamble = '\\newcommand{\\fancyhf}{mine}\n\\newcommand{\\mine}{my own}';
    expect(
      (await put({ base_version: 0, preamble, notation: [sign('\\R', '\\mathbb{R}')] }, account)).status,
    ).toBe(200);
    const use = async (template: string) =>
      (await (await call(account, 'POST', '/documents/from-template', { template })).json()) as SavedDocument;
    const blank = await use('blank');
    expect(blank.latex).toContain('\\newcommand{\\R}{\\mathbb{R}}');
    expect(blank.latex).toContain('\\newcommand{\\fancyhf}{mine}');
    // this one loads fancyhdr, which already defines the name
    const homework = await use('homework');
    expect(homework.latex).toContain('\\newcommand{\\mine}{my own}');
    expect(homework.latex).not.toContain('\\newcommand{\\fancyhf}');
    for (const { id } of [blank, homework])
      expect((await call(account, 'GET', `/documents/${id}/export?format=pdf`)).status).toBe(200);
  });

  test('is in the account’s export, and is deleted with the account', async () => {
    const account = await product.createAccount();
    await put({ base_version: 0, notation: [sign('\\E', '\\mathbb{E}', 'expectation')] }, account);
    const files = unzipSync(await (await call(account, 'GET', '/account/export')).bytes());
    expect(strFromU8(files['documents/preamble.json']!)).toContain('expectation');
    const count = () =>
      product
        .sql('select from personal_preambles where user_id = $1', [account.id])
        .then((rows) => rows.length);
    expect(await count()).toBe(1);
    await call(account, 'DELETE', '/account', { confirm: account.email });
    expect(await count()).toBe(0);
  });
});
