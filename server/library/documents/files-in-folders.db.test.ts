// A document of several files on the whole product: it comes in, is edited in two tabs, compiles, and goes out.
import { randomUUID } from 'node:crypto';
import { unzipSync, zipSync } from 'fflate';
import { afterAll, expect, test } from 'vitest';
import type { SaveConflict, SavedDocument } from '#shared/api/library.ts';
import { pdfText } from '#typesetting/testing/find-leak.ts';
import { startIdentityServer, waitUntil } from '../../../test-support/product/identity.ts';

const product = await startIdentityServer();
const [ada, eve] = [await product.createAccount(), await product.createAccount()];
afterAll(() => product.close());

const { call } = product;

const files = {
  'thesis.tex':
    '\\documentclass{report}\n\\usepackage{style/own}\n\\begin{document}\n\\include{chapters/one}\n\\include{chapters/two}\n\\bibliographystyle{plain}\n\\bibliography{lit/refs}\n\\end{document}\n',
  'chapters/one.tex': '\\chapter{Alpha}\\label{one}\r\nSee chapter~\\ref{two} and \\cite{knuth}.\r\n',
  'chapters/two.tex': '\\chapter{Beta}\\label{two}\n\\own{Gamma}\n',
  'style/own.sty': '\\ProvidesPackage{style/own}\n\\newcommand\\own[1]{[#1]}\n',
  'lit/refs.bib':
    '@book{knuth, author={Donald Knuth}, title={The {\\TeX}book}, year={1984}, publisher={A}}\n',
};
const importProject = async (): Promise<SavedDocument> => {
  const packed = Object.fromEntries(
    Object.entries(files).map(([name, text]) => [name, new TextEncoder().encode(text)]),
  );
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(zipSync(packed))]), 'thesis.zip');
  const answer = await call(ada, 'POST', '/documents/import', form);
  expect(answer.status).toBe(201);
  return ((await answer.json()) as { document: SavedDocument }).document;
};
const at = (id: string, name: string) => `/documents/${id}/figures/${encodeURIComponent(name)}`;
const readZip = async (id: string) => {
  const answer = await call(ada, 'GET', `/documents/${id}/export?format=zip`);
  const { latexmkrc: _, ...rest } = unzipSync(new Uint8Array(await answer.arrayBuffer()));
  return Object.fromEntries(
    Object.entries(rest).map(([name, bytes]) => [name, new TextDecoder().decode(bytes)]),
  );
};

test('files come back byte for byte, also from a copy', async () => {
  const { id, figures } = await importProject();
  expect(figures.map(({ name, version }) => [name, version])).toEqual(
    Object.keys(files)
      .filter((name) => name !== 'thesis.tex')
      .sort()
      .map((name) => [name, 1]),
  );
  expect(await readZip(id)).toEqual(files);
  const copy = (await (await call(ada, 'POST', `/documents/${id}/duplicate`)).json()) as SavedDocument;
  expect(await readZip(copy.id)).toEqual(files);
});

test('its PDF has every part, the references between them and the list of references', async () => {
  const { id } = await importProject();
  const answer = await call(ada, 'GET', `/documents/${id}/export?format=pdf`);
  const text = pdfText(new Uint8Array(await answer.arrayBuffer())).replace(/\s+/g, ' ');
  expect(text).toMatch(/Alpha See chapter 2 and \[1\].*Beta \[Gamma\].*Donald Knuth/);
  const markdown = await (await call(ada, 'GET', `/documents/${id}/export?format=markdown`)).text();
  expect(markdown).toMatch(/Alpha[\s\S]*Beta/);
});

test('a save overwrites nothing unseen, and may be repeated', async () => {
  const { id } = await importProject();
  const save = (base_version: number, latex: string, account = ada) =>
    call(account, 'PUT', `${at(id, 'chapters/two.tex')}/text`, { base_version, latex });
  expect(await (await save(1, 'first tab')).json()).toEqual({ version: 2 });
  // its answer was lost
  expect(await (await save(1, 'first tab')).json()).toEqual({ version: 2 });
  const refused = await save(1, 'second tab');
  expect(refused.status).toBe(409);
  const conflict = (await refused.json()) as SaveConflict;
  expect(conflict).toMatchObject({ code: 'VERSION_CONFLICT', current: { version: 2, latex: 'first tab' } });
  expect(await (await save(2, 'both')).json()).toEqual({ version: 3 });
  expect(await (await call(ada, 'GET', at(id, 'chapters/two.tex'))).text()).toBe('both');
  // an upload counts as a change as well
  await call(ada, 'PUT', at(id, 'chapters/two.tex'), new TextEncoder().encode('uploaded'));
  expect((await save(3, 'late')).status).toBe(409);
  for (const answer of [
    await save(4, 'stolen', eve),
    await call(ada, 'PUT', `${at(id, 'chapters/none.tex')}/text`, { base_version: 1, latex: 'x' }),
    await call(ada, 'PUT', `${at(randomUUID(), 'chapters/two.tex')}/text`, { base_version: 1, latex: 'x' }),
  ])
    expect(answer.status).toBe(404);
  expect(await (await call(ada, 'GET', at(id, 'chapters/two.tex'))).text()).toBe('uploaded');
});

test('of two concurrent saves one is stored and the other gets a conflict', async () => {
  const { id } = await importProject();
  const answers = await Promise.all(
    ['a', 'b', 'c'].map((latex) =>
      call(ada, 'PUT', `${at(id, 'chapters/one.tex')}/text`, { base_version: 1, latex }),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
});

test.each([
  '../main.tex',
  '/etc/x.tex',
  'a/../b.tex',
  'a//b.tex',
  './a.tex',
  '.hidden.tex',
  'a/.b.tex',
  'a b.tex',
  'a\\b.tex',
  'main.aux',
  'x/texmf.cnf',
  `${'a/'.repeat(6)}b.tex`,
  `${'a'.repeat(101)}.tex`,
  // in addition to the existing ones
  'CHAPTERS/ONE.TEX',
  'lit/refs.bib/more.tex',
  'chapters',
])('a file cannot be called %s', async (name) => {
  const { id } = await importProject();
  const answer = await call(ada, 'PUT', at(id, name), new TextEncoder().encode('x'));
  // the server of the address itself takes some for another address
  expect([400, 404]).toContain(answer.status);
  expect(await readZip(id)).toEqual(files);
});

test('replaced and removed texts are kept for the owner', async () => {
  const { id } = await importProject();
  const name = at(id, 'chapters/two.tex');
  const list = async (account = ada) => {
    const answer = await call(account, 'GET', `${name}/versions`);
    return answer.ok
      ? ((await answer.json()) as { versions: { ended_at: string; length: number }[] }).versions
      : answer.status;
  };
  const texts = async () => {
    const found = await list();
    if (typeof found === 'number') throw new Error(`answered ${found}`);
    return Promise.all(
      found.map(async ({ ended_at }) => {
        const one = await call(ada, 'GET', `${name}/versions/${encodeURIComponent(ended_at)}`);
        return ((await one.json()) as { latex: string }).latex;
      }),
    );
  };
  /** As if what is kept had been replaced so long ago. */
  const age = (interval: string) =>
    product.sql('update private.document_file_versions set ended_at = ended_at - $1::interval', [interval]);
  const save = (base_version: number, latex: string) =>
    call(ada, 'PUT', `${name}/text`, { base_version, latex });
  expect(await list()).toEqual([]);
  await save(1, 'second');
  expect(await texts()).toEqual([files['chapters/two.tex']]);
  await age('3 minutes');
  await save(2, 'third');
  await age('3 minutes');
  await call(ada, 'DELETE', name);
  expect(await texts()).toEqual(['third', 'second', files['chapters/two.tex']]);
  expect(await list(eve)).toBe(404);
  expect((await call(eve, 'GET', `${name}/versions/${new Date().toISOString()}`)).status).toBe(404);
  expect((await call(ada, 'GET', `${name}/versions/${new Date().toISOString()}`)).status).toBe(404);
  expect((await call(ada, 'GET', `${name}/versions/never`)).status).toBe(400);
});

test('after many concurrent saves, the first and the last text are kept', async () => {
  const { id } = await importProject();
  const name = at(id, 'lit/refs.bib');
  for (let version = 1; version <= 8; version++)
    await call(ada, 'PUT', `${name}/text`, { base_version: version, latex: `text ${version + 1}` });
  const { versions } = (await (await call(ada, 'GET', `${name}/versions`)).json()) as {
    versions: { ended_at: string }[];
  };
  // two of each minute that they took
  expect(versions.length).toBeLessThan(8);
  const read = async (one: { ended_at: string }) =>
    ((await (await call(ada, 'GET', `${name}/versions/${one.ended_at}`)).json()) as { latex: string }).latex;
  expect([await read(versions[0]!), await read(versions.at(-1)!)]).toEqual(['text 8', files['lit/refs.bib']]);
});

interface Found {
  documents: { id: string; snippets: { file?: string; line: number; parts: { text: string }[] }[] }[];
}

test('a word is found in every file, with its file and line', async () => {
  const { id } = await importProject();
  const find = async (query: string) => {
    const answer = await call(ada, 'GET', `/search?q=${encodeURIComponent(query)}`);
    const { documents } = (await answer.json()) as Found;
    return documents.find((one) => one.id === id)?.snippets.map(({ file, line }) => [file, line]);
  };
  await waitUntil(async () => expect(await find('Gamma')).toEqual([['chapters/two.tex', 2]]));
  expect(await find('Alpha')).toEqual([['chapters/one.tex', 1]]);
  expect(await find('bibliographystyle')).toBeUndefined();
  const name = at(id, 'chapters/two.tex');
  const latex = '\\chapter{Beta}\n\nThe wombat.\n';
  await call(ada, 'PUT', `${name}/text`, { base_version: 1, latex });
  await waitUntil(async () => expect(await find('wombat')).toEqual([['chapters/two.tex', 3]]));
  expect(await find('Gamma')).toBeUndefined();
  await call(ada, 'DELETE', name);
  await waitUntil(async () => expect(await find('wombat')).toBeUndefined());
  const copy = (await (await call(ada, 'POST', `/documents/${id}/duplicate`)).json()) as SavedDocument;
  await waitUntil(async () => {
    const { documents } = (await (await call(ada, 'GET', '/search?q=Alpha')).json()) as Found;
    expect(documents.find((one) => one.id === copy.id)?.snippets[0]?.file).toBe('chapters/one.tex');
  });
});
