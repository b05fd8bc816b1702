// Exports that mark what nobody has checked, on the whole product.
import { constants, inflateSync } from 'node:zlib';
import { strFromU8, unzipSync } from 'fflate';
import { afterAll, expect, test } from 'vitest';
import type { SavedDocument } from '#shared/api/library.ts';
import { startIdentityServer } from '../../../test-support/product/identity.ts';

// no worker: only what a test requests is compiled
const product = await startIdentityServer({ ROLES: 'web' });
const ada = await product.createAccount();
afterAll(() => product.close());

const { call } = product;

async function create(latex: string, given: object = {}): Promise<SavedDocument> {
  return (await (await call(ada, 'POST', '/documents', { latex, ...given })).json()) as SavedDocument;
}

const wrap = (body: string) => `\\documentclass{article}\n\\begin{document}\n${body}\n\\end{document}\n`;

/** How often a PDF's first page changes to the colour of doubt. */
function coloursOf(pdf: Uint8Array): number {
  const bytes = Buffer.from(pdf);
  const streams = [...bytes.toString('latin1').matchAll(/stream\r?\n/g)].map(({ index, 0: { length } }) => {
    try {
      return inflateSync(bytes.subarray(index + length), { finishFlush: constants.Z_SYNC_FLUSH }).toString(
        'latin1',
      );
    } catch {
      return '';
    }
  });
  return streams.join('\n').match(/0?\.76 0?\.25 0?\.05 rg/g)?.length ?? 0;
}

test('with readings that need checking marked: plainly in LaTeX, in colour in every format, or not', {
  timeout: 90_000,
}, async () => {
  const text = wrap('The lemna holds for $x^2$.');
  const spanOf = (words: string) => ({
    start: text.indexOf(words),
    end: text.indexOf(words) + words.length,
    page: 1,
  });
  const doubtful = [spanOf('lemna'), spanOf('2')];
  const { id } = await create(text, { source_map: { lines: [], doubtful } });
  const get = async (query: string) => (await call(ada, 'GET', `/documents/${id}/export?${query}`)).bytes();
  const marked = wrap('The \\unsure{lemna} holds for $x^{\\unsure{2}}$.');
  const plainly = strFromU8(await get('format=tex&doubts=marked'));
  expect(plainly).toContain('\\newcommand{\\unsure}[1]{#1}');
  expect(plainly).toContain(marked.slice(marked.indexOf('\\begin')));
  expect(strFromU8(await get('format=tex'))).toBe(text);
  const zipped = unzipSync(await get('format=zip&doubts=colour'));
  expect(strFromU8(zipped['main.tex']!)).toContain('{\\textcolor[rgb]');
  const [plain, coloured] = [await get('format=pdf&doubts=marked'), await get('format=pdf&doubts=colour')];
  expect([coloursOf(plain), coloursOf(coloured)]).toEqual([0, 2]);
  const word = strFromU8(unzipSync(await get('format=docx&doubts=colour'))['word/document.xml']!);
  expect(word.match(/<w:highlight w:val="yellow"\/>/g)).toHaveLength(2);
  const page = strFromU8(await get('format=html&doubts=colour'));
  expect(page).toContain('<mark>lemna</mark>');
  expect(page).toMatch(/<mstyle mathbackground="#\w+"><mn>2<\/mn>/);

  // a change by a client that knows nothing of doubts: one is rewritten, the other only moves
  const changed = text.replace('The lemna', 'The first lemma');
  await call(ada, 'PUT', `/documents/${id}/latex`, { base_version: 1, latex: changed });
  const after = strFromU8(await get('format=tex&doubts=marked'));
  expect(after).toContain('The first lemma holds for $x^{\\unsure{2}}$.');
});

test('of LaTeX that does not compile with its marks: without them, which its first line says', async () => {
  const text = wrap('\\newcommand{\\pick}[1]{\\csname word#1\\endcsname}\\def\\wordone{fine}\\pick{one}');
  const start = text.lastIndexOf('one');
  const doubtful = [{ start, end: start + 3, page: 1 }];
  const { id } = await create(text, { source_map: { lines: [], doubtful } });
  const get = (query: string) => call(ada, 'GET', `/documents/${id}/export?doubts=colour&${query}`);
  expect(await (await get('format=tex')).text()).toBe(
    `% Doubtful words are not marked here: with the marks this document would not compile.\n${text}`,
  );
  const pdf = await get('format=pdf');
  expect([pdf.status, ((await pdf.json()) as { error: string }).error]).toEqual([
    400,
    expect.stringContaining('without the colour'),
  ]);
});
