/**
 * The program of a process that reads PDFs' own text: keeps the last document open, reads pages on request. A page that
 * loops or exhausts memory affects this process only; the pool replaces it.
 */
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { ShareBox } from '#latex/assemble/page-body.ts';
import { answerTasks } from '#platform/work/answer-tasks.ts';
import { extractPage, openPdf } from './glyphs/extract.ts';
import { type DrawnMarks, findStrokes, withoutStrokes } from './glyphs/find-strokes.ts';
import { soundness } from './glyphs/soundness.ts';
import type { PageModel } from './model.ts';
import { type DocumentProfile, profileDocument } from './profile.ts';
import { readPage } from './read-page.ts';

export type TextRequest = { path: string } & (
  | { kind: 'facts' }
  | {
      kind: 'page';
      /** From 0. */
      index: number;
      /** All pages of the file before this one are read too. */
      isWhole: boolean;
      /** Drawings in these boxes are left out. */
      except: readonly ShareBox[];
    }
);

export type PageAnswer =
  | {
      kind: 'read';
      reading: ReturnType<typeof readPage>;
      size: { width: number; height: number };
      marks: DrawnMarks | null;
    }
  | { kind: 'no-text'; reason: string }
  | { kind: 'facts'; facts: { pages: string[]; info: Record<string, string>; xmp: string } }
  | { kind: 'failed'; message: string };

/** Most pages examined for the document's profile, and the CPU time for it in ms. */
const profilePages = 60;
const profileMs = 4_000;
/** Most glyphs of pages kept for reading: some 40 MB; thirty pages have 25,000. */
const keptGlyphs = 100_000;

/** CPU time that this process has used, in ms: on a loaded machine the profile is the same. */
const cpuMs = () => process.cpuUsage().user / 1000;

interface OpenDocument {
  path: string;
  pdf: PDFDocumentProxy;
  profile?: DocumentProfile;
  /** Pages as the profile saw them, each until it is read. */
  models: Map<number, PageModel>;
}

let open: OpenDocument | null = null;

const packageFolder = dirname(
  dirname(dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/legacy/build/pdf.mjs')))),
);

async function openDocument(path: string): Promise<OpenDocument> {
  if (open?.path === path) return open;
  if (open) await open.pdf.loadingTask.destroy();
  open = null;
  const pdf = await openPdf(new Uint8Array(await readFile(path)), packageFolder);
  open = { path, pdf, models: new Map() };
  return open;
}

async function makeProfile({ pdf, models }: OpenDocument): Promise<DocumentProfile> {
  const seen: PageModel[] = [];
  const started = cpuMs();
  let glyphs = 0;
  for (let i = 0; i < Math.min(pdf.numPages, profilePages); i++) {
    if (i > 0 && cpuMs() - started > profileMs) break;
    try {
      const model = await extractPage(pdf, i);
      seen.push(model);
      glyphs += model.glyphs.length;
      if (glyphs <= keptGlyphs) models.set(i, model);
    } catch {
      // a broken page does not affect the others
    }
  }
  return profileDocument(seen, 1);
}

/** A page is mostly read once, soon after the profile was made. */
async function takeModel({ pdf, models }: OpenDocument, index: number): Promise<PageModel> {
  const model = models.get(index) ?? (await extractPage(pdf, index));
  models.delete(index);
  return model;
}

/** Text of the first and last pages with their lines, the Info dictionary and the XMP packet. */
async function readFacts(path: string): Promise<Extract<PageAnswer, { kind: 'facts' }>['facts']> {
  const { pdf } = await openDocument(path);
  const last = pdf.numPages;
  const numbers = [...new Set([1, 2, 3, 4, 5, last - 1, last])].filter((n) => n >= 1 && n <= last);
  const pages: string[] = [];
  for (const number of numbers) {
    const page = await pdf.getPage(number);
    const content = await page.getTextContent();
    pages.push(
      content.items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join(''),
    );
    page.cleanup();
  }
  const { info, metadata } = await pdf.getMetadata();
  const entries = Object.entries(info as Record<string, unknown>).filter(
    (e): e is [string, string] => typeof e[1] === 'string',
  );
  const xmp = (metadata as { getRaw?: () => string } | null)?.getRaw?.() ?? '';
  return { pages, info: Object.fromEntries(entries), xmp: xmp.slice(0, 200_000) };
}

async function answer(request: TextRequest): Promise<PageAnswer> {
  const { path } = request;
  try {
    if (request.kind === 'facts') return { kind: 'facts', facts: await readFacts(path) };
    const { index, isWhole, except } = request;
    const document = await openDocument(path);
    document.profile ??= await makeProfile(document);
    const model = withoutStrokes(await takeModel(document, index), except);
    const reason = soundness(model);
    if (reason !== null) return { kind: 'no-text', reason };
    return {
      kind: 'read',
      reading: readPage(model, document.profile, index + 1, isWhole),
      size: { width: model.width, height: model.height },
      marks: findStrokes(model),
    };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

// pdf.js reports oddities of files on the console, which are not needed here
console.log = console.info = console.warn = () => {};

answerTasks((task) => answer(task as TextRequest));
