// Files of documents on the whole product: figures, page images, the PDF, links to it, the export, and what removal leaves.
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { unzipSync, zipSync } from 'fflate';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { parseEnv } from '#platform/env.ts';
import type { NewShare, SavedDocument } from '#shared/api/library.ts';
import { pdfText } from '#typesetting/testing/find-leak.ts';
import { startIdentityServer, type TestAccount, waitUntil } from '../../../test-support/product/identity.ts';
import { listKeys } from '../../account/testing/delivered.ts';
import { openStorage } from '../../storage/open-storage.ts';
import { removeOrphanFiles } from '../sweep.ts';
import { openDb } from '../testing/open-library.ts';
import { cleanStoredFiles } from './clean-stored-files.ts';

/** A whole PNG of 3 by 2 pixels. */
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAIAAAASFvFNAAAAEElEQVR4nGM4kWIEQQxwFgBVoAg1rtvKGQAAAABJRU5ErkJggg==',
  'base64',
);
const isPdf = (bytes: ArrayBuffer) => Buffer.from(bytes).subarray(0, 5).toString() === '%PDF-';

const product = await startIdentityServer();
const storage = openStorage(parseEnv({ DATA_DIR: product.dataDir }));
const [ada, eve] = [await product.createAccount(), await product.createAccount()];
afterAll(() => product.close());
// what a test has done with need not be compiled behind the next one
afterEach(() => product.sql('UPDATE documents SET trashed_at = now() WHERE trashed_at IS NULL'));

const { call } = product;

async function create(latex: string, account = ada): Promise<string> {
  const answer = await call(account, 'POST', '/documents', { latex });
  return ((await answer.json()) as SavedDocument).id;
}

const show = async (id: string, account = ada) =>
  (await (await call(account, 'GET', `/documents/${id}`)).json()) as SavedDocument;

const keysOf = (id: string) => listKeys(storage, `documents/${id}/`);

const wrap = (body: string) =>
  `\\documentclass{article}\\usepackage{graphicx}\\begin{document}${body}\\end{document}`;

describe('figures and page images', () => {
  test('are stored, replaced, fetched and removed only by their owner, without leftovers', async () => {
    const id = await create(wrap('x'));
    for (const path of [`/documents/${id}/figures/a.png`, `/documents/${id}/pages/1`]) {
      expect((await call(eve, 'PUT', path, png)).status).toBe(404);
      expect((await call(ada, 'PUT', path, Buffer.from('<svg/>'))).status).toBe(400);
      expect((await call(ada, 'PUT', path, png)).status).toBe(204);
      expect((await call(ada, 'PUT', path, png)).status).toBe(204);
      const got = await call(ada, 'GET', path);
      expect([got.status, got.headers.get('Content-Type')]).toEqual([200, 'image/png']);
      expect(Buffer.from(await got.arrayBuffer())).toEqual(png);
      expect((await call(eve, 'GET', path)).status).toBe(404);
      expect((await call(eve, 'DELETE', path)).status).toBe(404);
    }
    expect(await show(id)).toMatchObject({
      figures: [{ name: 'a.png', media_type: 'image/png', size_bytes: png.length }],
      pages: [{ number: 1, width: 3, height: 2 }],
    });
    expect(await keysOf(id)).toHaveLength(2);
    for (const path of [`/documents/${id}/figures/a.png`, `/documents/${id}/pages/1`]) {
      expect((await call(ada, 'DELETE', path)).status).toBe(204);
      expect((await call(ada, 'DELETE', path)).status).toBe(404);
    }
    expect(await keysOf(id)).toEqual([]);
    expect((await call(ada, 'PUT', `/documents/${id}/figures/main.png`, png)).status).toBe(400);
    expect((await call(ada, 'PUT', `/documents/${id}/figures/a.tex`, png)).status).toBe(400);
    expect((await call(ada, 'PUT', `/documents/${id}/pages/201`, png)).status).toBe(400);
  });

  test('text files for LaTeX are stored with them, and their references appear in the PDF', async () => {
    const id = await create(wrap('\\cite{k}\\bibliographystyle{plain}\\bibliography{refs}'));
    const refs = Buffer.from('@book{k, author={Ada Lovelace}, title={Notes}, publisher={Taylor}, year=1843}');
    expect((await call(ada, 'PUT', `/documents/${id}/figures/refs.bib`, refs)).status).toBe(204);
    expect((await call(ada, 'PUT', `/documents/${id}/figures/refs.bib`, png)).status).toBe(400);
    expect((await call(ada, 'PUT', `/documents/${id}/figures/run.sh`, refs)).status).toBe(400);
    expect((await show(id)).figures).toEqual([
      { name: 'refs.bib', media_type: 'application/octet-stream', size_bytes: refs.length, version: 1 },
    ]);
    await waitUntil(async () => {
      const pdf = await call(ada, 'GET', `/documents/${id}/document.pdf`);
      expect(pdf.status === 200 && pdfText(Buffer.from(await pdf.arrayBuffer()))).toContain('Ada Lovelace');
    });
  });

  test('of a copy are separate', async () => {
    const id = await create(wrap('x'));
    await call(ada, 'PUT', `/documents/${id}/figures/a.png`, png);
    const copy = (await (await call(ada, 'POST', `/documents/${id}/duplicate`)).json()) as SavedDocument;
    await call(ada, 'POST', `/documents/${id}/trash`);
    await call(ada, 'DELETE', `/documents/${id}`);
    expect(await keysOf(id)).toEqual([]);
    expect((await call(ada, 'GET', `/documents/${copy.id}/figures/a.png`)).status).toBe(200);
  });

  test('without a document are deleted at the second sweep, as the first may see one being created', async () => {
    const [stored, orphan] = [await create(wrap('x')), randomUUID()];
    await call(ada, 'PUT', `/documents/${stored}/figures/a.png`, png);
    await storage.put(`documents/${orphan}/figures/a`, png);
    const { db, close } = openDb(product.databaseUrl);
    const seen = await removeOrphanFiles({ db, storage }, new Set());
    expect(await keysOf(orphan)).toHaveLength(1);
    await removeOrphanFiles({ db, storage }, seen);
    await close();
    expect([(await keysOf(orphan)).length, (await keysOf(stored)).length]).toEqual([0, 1]);
  });
});

/** A phone’s photo: its pixels lie on their side, and it says whose it is and where it was taken. */
const taken = await readFile('fixtures/images/calculus-limits-integrals-p1-exif-orientation-6.jpg');
/** The same with few pixels. */
const photo = await sharp(taken).resize(160).keepExif().jpeg().toBuffer();
/** Its owner, its camera, its EXIF data and in them its place. */
const exif = (await sharp(photo).metadata()).exif!;
const traces = ['Sample Owner', 'Sample Phone', 'Exif\0\0', exif.toString('latin1', exif.length - 60)];

/** What of the photo’s own can be found in some bytes, in the files of an archive or in a page’s pictures too. */
function findTraces(bytes: Uint8Array): string[] {
  const raw = Buffer.from(bytes);
  const text = raw.toString('latin1');
  const inside = text.startsWith('PK')
    ? Object.values(unzipSync(bytes))
    : [...text.matchAll(/data:image\/[a-z]+;base64,([A-Za-z0-9+/=]+)/g)].map(([, data]) =>
        Buffer.from(data!, 'base64'),
      );
  return [...traces.filter((trace) => text.includes(trace)), ...inside.flatMap(findTraces)];
}

describe('a photo', () => {
  const named = wrap('\\includegraphics[width=3cm]{photo.jpg}');

  async function serve(id: string, account: TestAccount): Promise<Record<string, Uint8Array>> {
    const { token } = (await (await call(account, 'POST', `/documents/${id}/shares`)).json()) as NewShare;
    await waitUntil(async () =>
      expect((await call(null, 'GET', `/shared/${token}/document.pdf`)).status).toBe(200),
    );
    const served: Record<string, Uint8Array> = {};
    const take = async (path: string, who: TestAccount | null) => {
      const answer = await call(who, 'GET', path);
      expect([path, answer.status]).toEqual([path, 200]);
      served[path] = new Uint8Array(await answer.arrayBuffer());
    };
    await take(`/shared/${token}/document.pdf`, null);
    await take(`/documents/${id}/figures/photo.jpg`, account);
    for (const format of ['zip', 'pdf', 'docx', 'html'])
      await take(`/documents/${id}/export?format=${format}`, account);
    return served;
  }

  test('that becomes a figure, a page’s picture or part of an import no longer says who took it and where', async () => {
    const grace = await product.createAccount();
    const id = await create(named, grace);
    expect((await call(grace, 'PUT', `/documents/${id}/figures/photo.jpg`, photo)).status).toBe(204);
    expect((await call(grace, 'PUT', `/documents/${id}/pages/1`, photo)).status).toBe(204);
    const figures = [{ name: 'photo.jpg', media_type: 'image/jpeg', data_base64: photo.toString('base64') }];
    expect((await call(grace, 'POST', '/documents', { latex: named, figures })).status).toBe(201);
    const form = new FormData();
    const archive = zipSync({
      'main.tex': Buffer.from(named.replace('photo.jpg', 'img/photo.jpg')),
      'img/photo.jpg': photo,
    });
    form.append('file', new Blob([new Uint8Array(archive)]), 'notes.zip');
    const imported = await call(grace, 'POST', '/documents/import', form);
    expect(imported.status).toBe(201);

    const served = await serve(id, grace);
    for (const path of [`/documents/${id}/pages/1`, '/library/export', '/account/export'])
      served[path] = new Uint8Array(await (await call(grace, 'GET', path)).arrayBuffer());
    expect(Object.entries(served).map(([path, bytes]) => [path, findTraces(bytes)])).toEqual(
      Object.keys(served).map((path) => [path, []]),
    );
    // upright now, and still the photo
    const { width, height, orientation } = await sharp(
      served[`/documents/${id}/figures/photo.jpg`],
    ).metadata();
    expect([width, height, orientation]).toEqual([120, 160, undefined]);
    expect((await show(id, grace)).pages).toMatchObject([{ width: 120, height: 160 }]);
  });

  test('that was stored earlier is cleaned after the start, and then the PDF behind its links', async () => {
    const id = await create(named);
    await call(ada, 'PUT', `/documents/${id}/figures/photo.jpg`, png);
    const { db, close } = openDb(product.databaseUrl);
    try {
      const old = `documents/${id}/figures/${randomUUID()}`;
      await storage.put(old, photo);
      await product.sql('UPDATE document_figures SET key = $1, size_bytes = $2 WHERE document_id = $3', [
        old,
        photo.length,
        id,
      ]);
      // a link opens what was compiled of it, whatever is being compiled
      await product.sql(
        'UPDATE documents SET compiled_version = 0, compile_lease_until = NULL WHERE id = $1',
        [id],
      );
      await waitUntil(async () => {
        const pdf = await call(ada, 'GET', `/documents/${id}/document.pdf`);
        expect(findTraces(new Uint8Array(await pdf.arrayBuffer()))).not.toEqual([]);
      });
      const redrawPicture = (bytes: Uint8Array) => sharp(bytes).autoOrient().toBuffer();
      const deps = { db, storage, redrawPicture, logger: pino({ level: 'silent' }) };
      expect(await cleanStoredFiles(deps, new AbortController().signal)).toBe(1);
      expect(await cleanStoredFiles(deps, new AbortController().signal)).toBe(0);
      expect(await keysOf(id)).not.toContain(old);
      const served = await serve(id, ada);
      expect(Object.values(served).flatMap(findTraces)).toEqual([]);
      const { width, height } = await sharp(served[`/documents/${id}/figures/photo.jpg`]).metadata();
      expect([width, height]).toEqual([120, 160]);
    } finally {
      await close();
    }
  });
});

describe('the PDF', () => {
  test('follows the saved text, with its figures; a text that does not compile keeps the last good one', async () => {
    const id = await create(wrap('One\\newpage\\includegraphics{a.png}'));
    expect((await call(ada, 'GET', `/documents/${id}/document.pdf`)).status).toBe(404);
    await call(ada, 'PUT', `/documents/${id}/figures/a.png`, png);
    await waitUntil(async () => expect((await show(id)).pdf_version).toBe(1));
    expect(await show(id)).toMatchObject({ page_count: 2, version: 1 });
    const pdf = await call(ada, 'GET', `/documents/${id}/document.pdf`);
    expect([pdf.headers.get('Content-Type'), isPdf(await pdf.arrayBuffer())]).toEqual([
      'application/pdf',
      true,
    ]);
    expect(pdf.headers.get('Content-Disposition')).toMatch(/^inline;/);
    const saved = await call(ada, 'GET', `/documents/${id}/document.pdf?download=true`);
    expect(saved.headers.get('Content-Disposition')).toMatch(
      /^attachment; filename="Untitled document\.pdf";/,
    );
    expect((await call(eve, 'GET', `/documents/${id}/document.pdf`)).status).toBe(404);
    expect(await show(id)).toMatchObject({ thumbnail_version: 1 });
    const thumbnail = await call(ada, 'GET', `/documents/${id}/thumbnail.webp`);
    const { format, width, height } = await sharp(await thumbnail.arrayBuffer()).metadata();
    // the sheet is US letter
    expect([format, width, height]).toEqual(['webp', 480, 621]);
    expect((await call(eve, 'GET', `/documents/${id}/thumbnail.webp`)).status).toBe(404);

    await call(ada, 'PUT', `/documents/${id}/latex`, { base_version: 1, latex: wrap('\\undefinedcommand') });
    await waitUntil(async () =>
      expect(await product.sql('SELECT compiled_version FROM documents WHERE id = $1', [id])).toEqual([
        { compiled_version: 2 },
      ]),
    );
    expect(await show(id)).toMatchObject({
      version: 2,
      pdf_version: 1,
      compiled_version: 2,
      page_count: 2,
    });
    await call(ada, 'PUT', `/documents/${id}/latex`, { base_version: 2, latex: wrap('Good') });
    await waitUntil(async () => expect((await show(id)).pdf_version).toBe(3));
    // the one before is not kept: it goes once the new one stands
    await waitUntil(async () =>
      expect((await keysOf(id)).filter((key) => key.includes('/compiled/'))).toHaveLength(2),
    );
    const copy = (await (await call(ada, 'POST', `/documents/${id}/duplicate`)).json()) as SavedDocument;
    expect(copy).toMatchObject({ version: 1, pdf_version: 1, thumbnail_version: 1, page_count: 1 });
    expect((await call(ada, 'GET', `/documents/${copy.id}/thumbnail.webp`)).status).toBe(200);
  });
});

test('deleting a document ends its compile', async () => {
  const id = await create(wrap('\\loop\\iftrue\\repeat'));
  const readCompile = async () =>
    (
      await product.sql(
        'SELECT compiled_version, compile_lease_until AS lease FROM documents WHERE id = $1',
        [id],
      )
    )[0] as { compiled_version: number; lease: string | null };
  await waitUntil(async () => expect((await readCompile()).lease).not.toBeNull());
  await call(ada, 'POST', `/documents/${id}/trash`);
  await waitUntil(async () => expect((await readCompile()).lease).toBeNull());
  // ended, not compiled to its end: out of the trash it is due again
  expect((await readCompile()).compiled_version).toBe(0);
});

describe('a link', () => {
  const open = (token: string, file = '') => call(null, 'GET', `/shared/${token}${file}`);

  test('opens title and PDF for anyone who has it, nothing else, until it is revoked', async () => {
    const id = await create(wrap('Shared'));
    expect((await call(eve, 'POST', `/documents/${id}/shares`)).status).toBe(404);
    const answer = await call(ada, 'POST', `/documents/${id}/shares`);
    const share = (await answer.json()) as NewShare;
    expect([answer.status, share.token.length]).toEqual([201, 43]);
    const stored = await product.sql<{ row: string }>(
      'SELECT document_shares::text AS row FROM document_shares WHERE document_id = $1',
      [id],
    );
    expect(stored[0]!.row).not.toContain(share.token);

    const shown = await open(share.token);
    expect([shown.status, shown.headers.get('X-Robots-Tag')]).toEqual([200, 'noindex, nofollow']);
    expect(Object.keys((await shown.json()) as object).sort()).toEqual([
      'has_pdf',
      'page_count',
      'title',
      'updated_at',
    ]);
    await waitUntil(async () => expect((await open(share.token, '/document.pdf')).status).toBe(200));
    const pdf = await open(share.token, '/document.pdf');
    expect([isPdf(await pdf.arrayBuffer()), pdf.headers.get('X-Robots-Tag')]).toEqual([
      true,
      'noindex, nofollow',
    ]);
    const saved = await open(share.token, '/document.pdf?download=true');
    expect(saved.headers.get('Content-Disposition')).toMatch(/^attachment;/);

    await call(ada, 'POST', `/documents/${id}/trash`);
    expect((await open(share.token)).status).toBe(404);
    await call(ada, 'POST', `/documents/${id}/restore`);
    expect((await open(share.token)).status).toBe(200);
    expect((await call(eve, 'DELETE', `/documents/${id}/shares/${share.id}`)).status).toBe(404);
    const listed = await (await call(ada, 'GET', `/documents/${id}/shares`)).json();
    expect(listed).toEqual({ shares: [{ id: share.id, created_at: share.created_at }] });
    expect((await call(ada, 'DELETE', `/documents/${id}/shares/${share.id}`)).status).toBe(204);
    for (const file of ['', '/document.pdf']) {
      const deleted = await open(share.token, file);
      expect([
        deleted.status,
        deleted.headers.get('X-Robots-Tag'),
        deleted.headers.get('Referrer-Policy'),
      ]).toEqual([404, 'noindex, nofollow', 'no-referrer']);
    }
    expect((await call(ada, 'DELETE', `/documents/${id}/shares/${share.id}`)).status).toBe(404);
  });

  test('of a banned user opens nothing', async () => {
    const banned = await product.createAccount();
    const id = await create(wrap('x'), banned);
    const { token } = (await (await call(banned, 'POST', `/documents/${id}/shares`)).json()) as NewShare;
    expect((await open(token)).status).toBe(200);
    await product.sql("UPDATE auth.users SET banned_until = '2999-01-01' WHERE id = $1", [banned.id]);
    expect((await open(token)).status).toBe(404);
  });
});

describe('an account', () => {
  test('exports its library, and leaves nothing of it when deleted', async () => {
    const grace = await product.createAccount();
    const id = await create(wrap('Mine'), grace);
    await call(grace, 'PUT', `/documents/${id}/figures/a.png`, png);
    await call(grace, 'PUT', `/documents/${id}/pages/2`, png);
    await call(grace, 'PUT', `/documents/${id}/latex`, { base_version: 1, latex: wrap('Mine again') });
    await call(grace, 'POST', '/folders', { name: 'Algebra' });
    const zip = await call(grace, 'GET', '/account/export');
    const files = unzipSync(new Uint8Array(await zip.arrayBuffer()));
    const textOf = (name: string) => Buffer.from(files[name]!).toString();
    expect(textOf(`documents/${id}/document.tex`)).toBe(wrap('Mine again'));
    expect(textOf(`documents/${id}/versions/1.tex`)).toBe(wrap('Mine'));
    expect(Buffer.from(files[`documents/${id}/a.png`]!)).toEqual(png);
    expect(Buffer.from(files[`documents/${id}/pages/2.png`]!)).toEqual(png);
    expect(textOf('documents/folders.json')).toContain('Algebra');
    expect(textOf('documents/documents.json')).toContain(id);
    expect(textOf('README.txt')).toContain('documents/ID/document.tex');

    const deleted = await call(grace, 'DELETE', '/account', { confirm: grace.email });
    expect(deleted.status).toBe(204);
    await waitUntil(async () =>
      expect(
        await product.sql(
          'SELECT id FROM documents WHERE user_id = $1 UNION SELECT id FROM folders WHERE user_id = $1',
          [grace.id],
        ),
      ).toEqual([]),
    );
    await waitUntil(async () => expect(await keysOf(id)).toEqual([]));
  });
});
