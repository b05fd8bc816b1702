/** A body that never ends: found by halving pages, then pieces, with small time-outs. */
import type { AssembledDocument } from '#shared/latex/assemble.ts';
import type { CompileCounter } from './compile-counter.ts';
import { isolatePiece, isolateWholePage } from './isolate.ts';
import type { PageWork } from './page-work.ts';
import { listPieces, type Piece, topPieces } from './pieces.ts';

/** An ordinary page takes well under a second, the preamble about half of one. */
const baseTimeoutMs = 6_000;
const pageTimeoutMs = 400;

type Assemble = (pages: readonly PageWork[]) => AssembledDocument;

export async function findLoopingPieces(
  pages: readonly PageWork[],
  assemble: Assemble,
  compiler: CompileCounter,
): Promise<'found' | 'none' | 'cancelled'> {
  const loops = async (subset: readonly PageWork[]): Promise<boolean | null> => {
    const result = await compiler.compile(
      assemble(subset).latex,
      baseTimeoutMs + subset.length * pageTimeoutMs,
    );
    return result.kind === 'cancelled' ? null : result.kind === 'timed-out';
  };
  let hasFound = false;
  const search = async (subset: readonly PageWork[], isKnown: boolean): Promise<boolean> => {
    if (subset.length === 0) return true;
    const does = isKnown ? true : await loops(subset);
    if (does === null) return false;
    if (!does) return true;
    if (subset.length === 1) {
      hasFound = true;
      return isolateLooping(subset[0]!, assemble, compiler);
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

/** Isolates the pieces of one page without which it ends. False when cancelled. */
async function isolateLooping(
  page: PageWork,
  assemble: Assemble,
  compiler: CompileCounter,
): Promise<boolean> {
  const { body } = page;
  const pieces = topPieces(body);
  const all = listPieces(body);
  /** The page with only some of its pieces, definitions included with the piece they stand in. */
  const loops = async (subset: readonly Piece[]): Promise<boolean | null> => {
    const text = subset.map((piece) => body.slice(piece.start, piece.end)).join('\n\n');
    const probe = Object.create(page, { body: { value: text, writable: true } }) as PageWork;
    const result = await compiler.compile(assemble([probe]).latex, baseTimeoutMs);
    return result.kind === 'cancelled' ? null : result.kind === 'timed-out';
  };
  const guilty: Piece[] = [];
  const search = async (subset: readonly Piece[], before: readonly Piece[]): Promise<boolean> => {
    if (subset.length === 0) return true;
    const does = await loops([...before, ...subset]);
    if (does === null) return false;
    if (!does) return true;
    if (subset.length === 1) {
      guilty.push(subset[0]!);
      return true;
    }
    const middle = Math.ceil(subset.length / 2);
    const first = subset.slice(0, middle);
    if (!(await search(first, before))) return false;
    return search(subset.slice(middle), [...before, ...first.filter((piece) => !guilty.includes(piece))]);
  };
  if (!(await search(pieces, []))) return false;
  if (guilty.length === 0) isolateWholePage(page);
  for (const piece of guilty.sort((a, b) => b.start - a.start)) isolatePiece(page, piece, all);
  return true;
}
