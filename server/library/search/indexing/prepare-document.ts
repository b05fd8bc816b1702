/**
 * What the index keeps of a document. Most texts are read in a few milliseconds; a large one is read in a thread that
 * ends with it, so that the server's own stays free.
 */
import { readLatex } from '#latex/formula/index.ts';
import { SourceText } from '#latex/source/source-text.ts';
import { runThread } from '#platform/work/run-thread.ts';
import type { WorkLimits } from '#platform/work/work-limit.ts';
import { collectTerms, type DocumentTerms, type IndexedText } from '../terms.ts';
import { packText } from './stored-text.ts';

/**
 * Raised when what is kept of a document changes its meaning: then all documents are indexed anew (`index-due.ts`).
 */
export const indexFormat = 1;

/** What only rows of earlier releases have (`rewrite-rows.ts`). */
export const emptyColumns = { body: null, places: null, headings: null, words: null };

export interface PreparedText {
  documentId: string;
  title: string;
  latex: string;
  /** The texts of its files, in the order of their names. */
  files?: readonly { name: string; latex: string }[];
  savedAt: Date;
  folderId: string | null;
  isStarred: boolean;
}

/** The row of a document, but for its number and library, and its terms; pure. */
export function prepareDocument({ latex, files = [], ...known }: PreparedText) {
  const { body, places, headings, formulas, ends } = readTexts([latex, ...files.map((file) => file.latex)]);
  const { terms, wordRow } = collectTerms({ title: known.title, body, headings, formulas });
  return {
    terms,
    row: {
      documentId: known.documentId,
      savedAt: known.savedAt,
      folderId: known.folderId,
      isStarred: known.isStarred,
      title: known.title,
      content: packText({ body, places, headings }),
      wordRow,
      files: files.length === 0 ? null : files.map(({ name }, index) => ({ name, ...ends[index]! })),
      formulas: formulas.map((tokens) => tokens.join(' ')).join('\n'),
      ...emptyColumns,
      format: indexFormat,
    },
  };
}

/** Several texts as one: each begins on a line of its own after the one before. `ends`: where each ends. */
function readTexts(texts: readonly string[]) {
  let body = '';
  const places: number[] = [];
  const headings: number[] = [];
  const formulas: string[][] = [];
  const ends: { line: number; offset: number }[] = [];
  let line = 0;
  let start = 0;
  for (const latex of texts) {
    // PostgreSQL stores no NUL
    const readable = readLatex(latex.replaceAll('\0', ' '));
    const source = new SourceText(latex);
    if (body !== '') body += '\n\n';
    for (let i = 0; i < readable.offsets.length; i += 2) {
      const offset = readable.offsets[i + 1]!;
      const at = source.positionOf(Math.max(0, offset)).line;
      places.push(body.length + readable.offsets[i]!, start + offset, line + at);
    }
    headings.push(...readable.headings.map((offset) => body.length + offset));
    formulas.push(...readable.formulas);
    body += readable.text;
    line += latex.split('\n').length;
    start += latex.length + 1;
    ends.push({ line: line + 1, offset: start });
  }
  return { body, places, headings, formulas, ends };
}

/** A document as it is now, and the terms that the index has of it. */
export interface PreparedChange extends ReturnType<typeof prepareDocument> {
  earlier: DocumentTerms['terms'];
}

/** What a thread is given. */
export interface PrepareTask {
  text: PreparedText;
  /** As the index has it; null when it does not. */
  before: IndexedText | null;
}

export function prepareHere({ text, before }: PrepareTask): PreparedChange {
  return { ...prepareDocument(text), earlier: before ? collectTerms(before).terms : new Map() };
}

/** Texts from so many characters on are read in a thread: some 20 pages, and as many milliseconds. */
const largeText = 60_000;
/** Of a thread, and most of its memory, MB: many times what the largest document takes. */
const limits: WorkLimits = { cpuMs: 120_000 };
const memoryMb = 768;
const program = new URL('./prepare-thread.ts', import.meta.url);

/** @throws WorkLost when the text takes more CPU time or memory than any should; WorkStarved */
export async function prepareChange(task: PrepareTask): Promise<PreparedChange> {
  const length = (task.text.files ?? []).reduce(
    (sum, { latex }) => sum + latex.length,
    task.text.latex.length,
  );
  if (length + (task.before?.body.length ?? 0) < largeText) return prepareHere(task);
  const change = await runThread<PreparedChange>(program, task, { limits, memoryMb });
  const { content, wordRow } = change.row;
  // a thread hands over plain bytes
  return { ...change, row: { ...change.row, content: Buffer.from(content), wordRow: Buffer.from(wordRow) } };
}
