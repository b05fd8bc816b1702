/**
 * The program of a process that reads PDFs' own text: keeps the last document open, reads pages on request. A page that
 * loops or exhausts memory affects this process only; the pool replaces it.
 */
import './glyphs/without-http.ts';
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
      /** For another reader, which sees the page itself: not all pages are looked at before the first is read. */
      isHint: boolean;
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
  | { kind: 'facts'; facts: { info: Record<string, string>; xmp: string } }
  | { kind: 'failed'; message: string };

/** Most pages examined for the document's profile, and the CPU time for it in ms. */
const profilePages = 60;
const profileMs = 4_000;
/** Fewest pages examined for a hint; for later pages twice as many, and so on. */
const hintPages = 8;
/** Most glyphs of pages kept for reading: some 40 MB; thirty pages have 25,000. */
const keptGlyphs = 100_000;

/** Longer than a vision model mostly takes for a page: hints are asked for in rounds, and each costs a third less. */
const restMs = 10_000;

/** CPU time that this process has used, in ms: on a loaded machine the profile is the same. */
const cpuMs = () => process.cpuUsage().user / 1000;

interface OpenDocument {
  path: string;
  pdf: PDFDocumentProxy;
  profile?: DocumentProfile;
  /** How many of the first pages the profile may know. */
  examined: number;
  /** CPU time of examining them, in ms. */
  examiningMs: number;
  /** Those that were not broken, until no more are examined. */
  seen: PageModel[];
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
  open = { path, pdf, examined: 0, examiningMs: 0, seen: [], models: new Map() };
  return open;
}

/** The profile of at least the first `count` pages, if so many are examined at all. */
async function profileOf(document: OpenDocument, count: number): Promise<DocumentProfile> {
  const { pdf, models } = document;
  const end = Math.min(count, pdf.numPages, profilePages);
  if (document.profile && document.examined >= end) return document.profile;
  const started = cpuMs();
  let glyphs = document.seen.reduce((sum, model) => sum + model.glyphs.length, 0);
  while (document.examined < end) {
    const index = document.examined++;
    try {
      const model = await extractPage(pdf, index);
      document.seen.push(model);
      glyphs += model.glyphs.length;
      if (glyphs <= keptGlyphs) models.set(index, model);
    } catch {
      // a broken page does not affect the others
    }
    if (document.examiningMs + cpuMs() - started > profileMs) document.examined = profilePages;
  }
  document.examiningMs += cpuMs() - started;
  document.profile = profileDocument(document.seen, 1);
  if (document.examined >= Math.min(pdf.numPages, profilePages)) document.seen = [];
  return document.profile;
}

/** Each page's hint knows the pages before it, and the profile is made only a few times. */
function pagesForHint(index: number): number {
  return Math.max(hintPages, 2 ** Math.ceil(Math.log2(index + 1)));
}

/** A page is mostly read once, soon after the profile was made. */
async function takeModel({ pdf, models }: OpenDocument, index: number): Promise<PageModel> {
  const model = models.get(index) ?? (await extractPage(pdf, index));
  models.delete(index);
  return model;
}

/** The Info dictionary and the XMP packet. */
async function readFacts(path: string): Promise<Extract<PageAnswer, { kind: 'facts' }>['facts']> {
  const { pdf } = await openDocument(path);
  const { info, metadata } = await pdf.getMetadata();
  const entries = Object.entries(info as Record<string, unknown>).filter(
    (e): e is [string, string] => typeof e[1] === 'string',
  );
  const xmp = (metadata as { getRaw?: () => string } | null)?.getRaw?.() ?? '';
  return { info: Object.fromEntries(entries), xmp: xmp.slice(0, 200_000) };
}

async function answer(request: TextRequest): Promise<PageAnswer> {
  const { path } = request;
  try {
    if (request.kind === 'facts') return { kind: 'facts', facts: await readFacts(path) };
    const { index, isWhole, isHint, except } = request;
    const document = await openDocument(path);
    const profile = await profileOf(document, isHint ? pagesForHint(index) : profilePages);
    const model = withoutStrokes(await takeModel(document, index), except);
    const reason = soundness(model);
    if (reason !== null) return { kind: 'no-text', reason };
    return {
      kind: 'read',
      reading: readPage(model, profile, index + 1, isWhole),
      size: { width: model.width, height: model.height },
      marks: findStrokes(model),
    };
  } catch (error) {
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

// pdf.js reports oddities of files on the console, which are not needed here
console.log = console.info = console.warn = () => {};

answerTasks((task) => answer(task as TextRequest), restMs);
