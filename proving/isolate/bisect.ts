/** Finds errors without a line, and bodies that loop, by bisecting pages, then fragments. */
import type { AssembledDocument } from '#latex/assemble/assemble.ts';
import type { CompileResult } from '#typesetting/index.ts';
import type { CompileCounter } from '../pages/compile-counter.ts';
import type { PageWork } from '../pages/page-work.ts';
import { listPieces, type Piece, topPieces } from '../pages/pieces.ts';
import { isolatePiece, isolateWholePage } from './isolate.ts';

/** CPU time: an ordinary page takes well under a second, the preamble about half a second. */
const baseCpuMs = 6_000;
const pageCpuMs = 400;
/** Pages tried in parallel; the typesetter alternates with other owners' work. */
const parallelPages = 4;

type Assemble = (pages: readonly PageWork[]) => AssembledDocument;

/** After a time-out: isolates the fragments that loop. */
export async function isolateLoopingPieces(
  pages: readonly PageWork[],
  assemble: Assemble,
  compiler: CompileCounter,
): Promise<'found' | 'none' | 'cancelled'> {
  let hasFound = false;
  const search = async (subset: readonly PageWork[], isKnown: boolean): Promise<boolean> => {
    if (subset.length === 0) return true;
    if (!isKnown) {
      const cpuMs = baseCpuMs + subset.length * pageCpuMs;
      const result = await compiler.compile(assemble(subset).latex, cpuMs);
      if (result.kind === 'cancelled') return false;
      if (result.kind !== 'timed-out') return true;
    }
    if (subset.length === 1) {
      hasFound = true;
      return isolateFaulty(subset[0]!, assemble, compiler, ({ kind }) => kind === 'timed-out');
    }
    const middle = Math.ceil(subset.length / 2);
    const both = await Promise.all([
      search(subset.slice(0, middle), false),
      search(subset.slice(middle), false),
    ]);
    return both.every(Boolean);
  };
  if (!(await search(pages, pages.length === 1))) return 'cancelled';
  return hasFound ? 'found' : 'none';
}

/** Compiles every page alone and isolates the faulty fragments of those that fail. */
export async function isolateByTrial(
  pages: readonly PageWork[],
  assemble: Assemble,
  compiler: CompileCounter,
): Promise<'found' | 'none' | 'cancelled'> {
  const isFault = ({ kind }: CompileResult) => kind === 'failed' || kind === 'timed-out';
  let hasFound = false;
  let isCancelled = false;
  const queue = [...pages];
  const worker = async () => {
    for (let work = queue.shift(); work && !isCancelled; work = queue.shift()) {
      const result = await compiler.compile(assemble([work]).latex, 2 * baseCpuMs);
      if (result.kind === 'cancelled') isCancelled = true;
      if (!isFault(result)) continue;
      hasFound = true;
      if (!(await isolateFaulty(work, assemble, compiler, isFault))) isCancelled = true;
    }
  };
  await Promise.all(Array.from({ length: parallelPages }, worker));
  return isCancelled ? 'cancelled' : hasFound ? 'found' : 'none';
}

/** Isolates the fragments that make a page fail. False when cancelled. */
async function isolateFaulty(
  page: PageWork,
  assemble: Assemble,
  compiler: CompileCounter,
  isFault: (result: CompileResult) => boolean,
): Promise<boolean> {
  const { body } = page;
  const all = listPieces(body);
  const guilty: Piece[] = [];
  /** True if the page fails with only these fragments; null when cancelled. */
  const isFaulty = async (subset: readonly Piece[]): Promise<boolean | null> => {
    const text = subset.map((piece) => body.slice(piece.start, piece.end)).join('\n\n');
    const probe = Object.create(page, { body: { value: text, writable: true } }) as PageWork;
    const result = await compiler.compile(assemble([probe]).latex, baseCpuMs);
    return result.kind === 'cancelled' ? null : isFault(result);
  };
  // Earlier fragments are kept: they may hold definitions that later ones use.
  const search = async (subset: readonly Piece[], before: readonly Piece[]): Promise<boolean> => {
    if (subset.length === 0) return true;
    const found = await isFaulty([...before, ...subset]);
    if (found === null) return false;
    if (!found) return true;
    if (subset.length === 1) {
      guilty.push(subset[0]!);
      return true;
    }
    const middle = Math.ceil(subset.length / 2);
    const first = subset.slice(0, middle);
    if (!(await search(first, before))) return false;
    const sound = first.filter((piece) => !guilty.includes(piece));
    return search(subset.slice(middle), [...before, ...sound]);
  };
  if (!(await search(topPieces(body), []))) return false;
  const fresh = guilty.filter((piece) => !page.isVerbatim(piece.start, piece.end));
  if (fresh.length === 0) isolateWholePage(page);
  for (const piece of fresh.sort((a, b) => b.start - a.start)) isolatePiece(page, piece, all);
  return true;
}
