import { randomUUID } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { documents, folders } from '../schema.ts';
import { packLibrary } from './indexing/pack-libraries.ts';
import { type DocumentSearch, search } from './search-documents.ts';
import { type IndexedLibrary, openIndexedLibrary, type SavedText } from './testing/indexed-library.ts';

let library: IndexedLibrary;
const ada = randomUUID();
const emmy = randomUUID();
/** Has the same documents as Ada, in a library that is packed before each search. */
const twin = randomUUID();
const folderId = randomUUID();

beforeAll(async () => {
  library = await openIndexedLibrary();
  await library.db.insert(folders).values({ id: folderId, userId: ada, name: 'Analysis' });
  await save(ada, 'Gaussian integrals', {
    latex:
      "We derive \\emph{the} famous value.\n\n\\section{Polar coordinates}\nHence\n\\[ \\int_{-\\infty}^{\\infty} e^{-t^{2}}\\,\\mathrm{d}t = \\sqrt{\\pi}. \\]\nPoincar\\'e liked it.",
    folderId,
    starredAt: new Date(),
  });
  await save(ada, 'Convolution', {
    latex:
      'The convolution of the famous kernel: $\\int_0^t f(s)g(t-s)\\,ds$. Convolution is famous. The convolution.',
  });
  await save(ada, 'Números', { latex: 'El teorema de Bézout: $ax+by=\\gcd(a,b)$. 微分方程式 и ряды Фурье' });
  await save(ada, 'Old news', {
    latex: 'The famous coordinates polar to all.',
    savedAt: new Date('2020-05-05'),
  });
  await save(emmy, 'Gaussian secret', { latex: 'famous secret $\\int_0^1 e^{-x^2}dx$ convolution' });
});
afterAll(() => library?.close());

async function save(userId: string, title: string, rest: SavedText): Promise<string> {
  if (userId === ada) await library.save(twin, title, rest);
  return library.save(userId, title, rest);
}

async function find(query: string, more: Partial<DocumentSearch> = {}) {
  const request = { userId: ada, query, limit: 20, offset: 0, ...more };
  const found = await search(library.db, request);
  if (request.userId === ada) {
    await packLibrary(library.db, await library.libraryOf(twin));
    const packed = await search(library.db, { ...request, userId: twin });
    const shown = ({ documents: list, ...rest }: typeof found) => ({
      ...rest,
      documents: list.map(({ title, snippets }) => ({ title, snippets })),
    });
    expect(shown(packed)).toEqual(shown(found));
  }
  return found;
}
const plain = (parts: { text: string }[]) => parts.map(({ text }) => text).join('');
const titles = async (query: string, more: Partial<DocumentSearch> = {}) =>
  (await find(query, more)).documents.map(({ title }) => plain(title));

describe('words', () => {
  test.each([
    ['famous', ['Convolution', 'Old news', 'Gaussian integrals']],
    ['gaussian', ['Gaussian integrals']],
    ['gaus', ['Gaussian integrals']],
    ['gausian ', ['Gaussian integrals']],
    ['convoltuion', ['Convolution']],
    ['cordinates polra ', ['Gaussian integrals', 'Old news']],
    ['convolutoi', ['Convolution']],
    ['poincare', ['Gaussian integrals']],
    ['BEZOUT numeros', ['Números']],
    ['фурье', ['Números']],
    ['方程', ['Números']],
    ['法', []],
    ['式', ['Números']],
    ['微分方程式', ['Números']],
    ['程微', []],
    ['"polar coordinates"', ['Gaussian integrals']],
    ['"coordinates polar" famous', ['Old news']],
    ['famous gaussian', ['Gaussian integrals']],
    ['secret', []],
    ['infty', []],
    ['zzzz', []],
    ['% _ \\ \' " $', []],
  ])('%s', async (query, expected) => {
    expect((await titles(query)).toSorted()).toEqual(expected.toSorted());
  });

  test('a match in the title counts most, then frequent words', async () => {
    await save(ada, 'Kernel', { latex: 'Nothing of it.' });
    await save(ada, 'Other', { latex: 'One kernel here.' });
    await save(ada, 'Third', { latex: 'Kernel, kernel, kernel, kernel.' });
    const found = await titles('kernel');
    expect(found[0]).toBe('Kernel');
    expect(found[1]).toBe('Third');
    expect(found.slice(2).toSorted()).toEqual(['Convolution', 'Other']);
  });

  test('a heading counts more than the text, and a typed word more than a corrected one', async () => {
    const user = randomUUID();
    await save(user, 'Text', { latex: 'Here is a quokka.' });
    await save(user, 'Heading', { latex: '\\subsection{On the quokka}\nSomething else.' });
    await save(user, 'Quakka', { latex: 'Mistyped in its title.' });
    await save(user, 'Begun', { latex: 'Several quokkas.' });
    expect(await titles('quokka ', { userId: user })).toEqual(['Heading', 'Text', 'Quakka', 'Begun']);
    expect(await titles('quokka', { userId: user })).toEqual(['Heading', 'Text', 'Begun']);
  });

  test('typos anywhere, also while a word is being typed', async () => {
    const user = randomUUID();
    await save(user, 'T', { latex: 'The convolution of distributions on manifolds.' });
    for (const query of [
      'cnovolution',
      'ocnvolution',
      'convolutoin',
      'konvolution',
      'convolutiom',
      'covnolu',
      'cconvol',
      'distribtuoins',
      'manifodls',
      'maifold',
    ])
      expect([query, await titles(query, { userId: user })]).toEqual([query, ['T']]);
    await save(user, 'U', { latex: 'Lecture of 2023, room b1204.' });
    // a different word is not a typo, nor is a different number
    for (const query of ['revolution ', 'contribution', 'manual', '2024', 'b1205'])
      expect([query, await titles(query, { userId: user })]).toEqual([query, []]);
  });

  test('any script, with and without accents', async () => {
    const user = randomUUID();
    await save(user, 'Ελληνικά', { latex: 'Το θεώρημα του Πυθαγόρα. \\textbf{Ἀριθμός}' });
    await save(user, 'Русский', { latex: 'Ряд Тейлора сходится равномерно.' });
    await save(user, 'عربي', { latex: 'نظريّة فيثاغورس في الهندسة' });
    await save(user, 'עברית', { latex: 'מִשְׁפַּט פיתגורס' });
    await save(user, '日本語', { latex: '一様収束と微分積分学の基本定理について。' });
    await save(user, 'ไทย', { latex: 'ทฤษฎีบทพีทาโกรัส' });
    await save(user, '한국어', { latex: '피타고라스의 정리를 증명하라' });
    for (const [query, title] of [
      ['θεωρημα', 'Ελληνικά'],
      ['ΠΥΘΑΓΌΡΑ', 'Ελληνικά'],
      ['αριθμος', 'Ελληνικά'],
      ['тейлор', 'Русский'],
      ['сходитса ', 'Русский'],
      ['نظرية', 'عربي'],
      ['فيثاغ', 'عربي'],
      ['משפט', 'עברית'],
      ['積分学', '日本語'],
      ['基本定理', '日本語'],
      ['収束', '日本語'],
      ['พีทา', 'ไทย'],
      ['정리', '한국어'],
      ['"基本定理"', '日本語'],
    ])
      expect([query, await titles(query!, { userId: user })]).toEqual([query, [title]]);
    expect(await titles('"du theoreme"', { userId: user })).toEqual([]);
  });

  test('pages are parts of one list, and give its length', async () => {
    const first = await find('famous', { limit: 2 });
    const second = await find('famous', { limit: 2, offset: 2 });
    for (const page of [first, second]) expect(page).toMatchObject({ total: 3, hasMore: false });
    const all = [...first.documents, ...second.documents].map(({ documentId }) => documentId);
    expect(new Set(all).size).toBe(3);
  });
});

describe('without a query', () => {
  test('everything that matches the filters, newest first', async () => {
    expect((await titles('')).at(-1)).toBe('Old news');
    expect(await titles(' ', { starred: true })).toEqual(['Gaussian integrals']);
    expect(await titles('', { folderIds: null, to: new Date('2021-01-01') })).toEqual(['Old news']);
    expect(await titles('secret', { folderIds: null })).toEqual([]);
  });
});

describe('formulas', () => {
  test.each([
    ['\\int e^{-x^2}', ['Gaussian integrals']],
    ['$\\int e^{-x^2}$ polar', ['Gaussian integrals']],
    ['$\\int e^{-x^2}$ convolution', []],
    ['\\gcd(p,q)', ['Números']],
    ['\\gcd(p,p)', []],
    ['\\sum x', []],
    ['e^{-x', ['Gaussian integrals']],
    ['famous polar \\int e^{-x^2}', ['Gaussian integrals']],
    ['famous kernel \\int e^{-x^2}', []],
  ])('%s', async (query, expected) => {
    expect(await titles(query)).toEqual(expected);
  });

  test('from a separate field', async () => {
    expect(await titles('famous', { formula: '\\int f(u)' })).toEqual(['Convolution']);
  });
});

describe('what is shown', () => {
  test('the place of a word, in text and source', async () => {
    const { documents: found } = await find('poincare');
    const [snippet] = found[0]!.snippets;
    expect(snippet!.line).toBe(6);
    expect(snippet!.parts.filter(({ hit }) => hit)).toEqual([{ kind: 'text', text: 'Poincaré', hit: true }]);
    const [{ latex } = { latex: '' }] = await library.db
      .select({ latex: documents.latex })
      .from(documents)
      .where(sql`id = ${found[0]!.documentId}::uuid`);
    expect(latex.slice(snippet!.offset)).toMatch(/^Poincar\\'e liked/);
  });

  test('the formula that was found, in its source', async () => {
    const [document] = (await find('\\int e^{-x^2}')).documents;
    const parts = document!.snippets[0]!.parts.filter(({ hit }) => hit);
    expect(parts).toMatchObject([{ kind: 'formula', text: expect.stringContaining('\\mathrm{d}t') }]);
    expect(document!.snippets[0]!.line).toBe(5);
  });

  test('marks the title', async () => {
    const [document] = (await find('gauss')).documents;
    expect(document!.title).toEqual([
      { kind: 'text', text: 'Gaussian', hit: true },
      { kind: 'text', text: ' integrals', hit: false },
    ]);
  });
});

describe('filters', () => {
  test.each<[string, Partial<DocumentSearch>, string[]]>([
    ['famous', { folderIds: [folderId] }, ['Gaussian integrals']],
    ['famous', { folderIds: [randomUUID()] }, []],
    ['famous', { starred: true }, ['Gaussian integrals']],
    ['famous', { folderIds: null, from: new Date('2021-01-01') }, ['Convolution']],
    ['famous', { to: new Date('2021-01-01') }, ['Old news']],
    ['famous', { from: new Date('2021-01-01'), starred: false }, ['Convolution']],
    ['\\int e^{-x^2}', { starred: true }, ['Gaussian integrals']],
    ['\\int e^{-x^2}', { starred: false }, []],
  ])('%s %j', async (query, filter, expected) => {
    expect(await titles(query, filter)).toEqual(expected);
    // in a large library, the filter is also applied in the index
    const pretend = (factor: number) =>
      library.pool.query(
        'update private.search_libraries set documents = documents + $1 where user_id = $2',
        [factor * 2_000, ada],
      );
    await pretend(1);
    expect(await titles(query, filter)).toEqual(expected);
    await pretend(-1);
  });
});

test('a word that may have been meant never comes before one that was begun', async () => {
  const user = randomUUID();
  await library.save(user, 'Notes', { latex: 'Here stands zebrafinchling.' });
  for (let count = 0; count < 5; count++)
    await library.save(user, 'Zebrafish', {
      latex: '\\section{Zebrafish} zebrafish zebrafish zebrafish',
    });
  expect((await library.titles(user, 'zebrafin'))[0]).toBe('Notes');
});
