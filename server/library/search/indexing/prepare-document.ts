/**
 * Computes what the index stores of a document. Most texts take a few milliseconds; a large one is read in a thread of
 * its own, to keep the server's thread free.
 */
import { readLatex } from '#latex/formula/index.ts';
import { SourceText } from '#latex/source/source-text.ts';
import { runThread } from '#platform/work/run-thread.ts';
import type { WorkLimits } from '#platform/work/work-limit.ts';
import { collectTerms, type DocumentTerms, type IndexedText } from '../terms.ts';
import { packText } from './stored-text.ts';

/** Increased when the meaning of the stored data changes: all documents are then reindexed (`index-due.ts`). */
export const indexFormat = 1;

/** Found only in rows of earlier releases (`rewrite-rows.ts`). */
export const emptyColumns = { body: null, places: null, headings: null, words: null };

export interface PreparedText {
  documentId: string;
  title: string;
  latex: string;
  /** The texts of its files, by name. */
  files?: readonly { name: string; latex: string }[];
  savedAt: Date;
  folderId: string | null;
  isStarred: boolean;
}

/** A document's row, without its number and library, and its terms; pure. */
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

/** Joins several texts, each beginning on a line of its own. `ends`: where each ends. */
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

/** A document's current state, and the terms that the index has of it. */
export interface PreparedChange extends ReturnType<typeof prepareDocument> {
  earlier: DocumentTerms['terms'];
}

/** The thread's input. */
export interface PrepareTask {
  text: PreparedText;
  /** As stored in the index; null if it is not indexed. */
  before: IndexedText | null;
}

export function prepareHere({ text, before }: PrepareTask): PreparedChange {
  return { ...prepareDocument(text), earlier: before ? collectTerms(before).terms : new Map() };
}

/** Texts with at least this many characters are read in a thread: some 20 pages, and as many milliseconds. */
const largeText = 60_000;
/** Limits of a thread; memory in MB, many times what the largest document takes. */
const limits: WorkLimits = { cpuMs: 120_000 };
const memoryMb = 768;
const program = new URL('./prepare-thread.ts', import.meta.url);

/** @throws WorkLost when the text takes more CPU time or memory than allowed; WorkStarved */
export async function prepareChange(task: PrepareTask): Promise<PreparedChange> {
  const length = (task.text.files ?? []).reduce(
    (sum, { latex }) => sum + latex.length,
    task.text.latex.length,
  );
  if (length + (task.before?.body.length ?? 0) < largeText) return prepareHere(task);
  const change = await runThread<PreparedChange>(program, task, { limits, memoryMb });
  const { content, wordRow } = change.row;
  // a thread transfers plain bytes
  return { ...change, row: { ...change.row, content: Buffer.from(content), wordRow: Buffer.from(wordRow) } };
}
