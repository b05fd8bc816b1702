/** A result for download, with the readings that nobody has checked marked. */
import { markDoubts, marksLeftOut } from '#latex/assemble/mark-doubts.ts';
import type { Figure } from '#shared/api/conversion.ts';
import type { DoubtForm } from '#shared/api/exchange.ts';
import type { DoubtfulSpot } from '#web/lib/doubtful-spots.ts';
import { compileLatex } from '../run/conversion-api.ts';

interface Unmarked {
  latex: string;
  figures: Figure[];
  spots: readonly DoubtfulSpot[];
}

interface MarkedResult {
  latex: string;
  /** Of `latex`; null if the one without marks prints the same. */
  pdf: Blob | null;
  /** It did not compile with its marks, or could not be compiled. */
  isUnmarked?: true;
}

export async function markResult(result: Unmarked, form: DoubtForm): Promise<MarkedResult> {
  const { latex, figures, spots } = result;
  const marked = form === 'none' ? null : markDoubts(latex, spots, form === 'colour' ? 'colour' : 'plain');
  if (!marked || marked.marked === 0) return { latex, pdf: null };
  const compiled = await compileLatex(marked.latex, figures).catch(() => null);
  if (!compiled?.ok) return { latex: `${marksLeftOut}\n${latex}`, pdf: null, isUnmarked: true };
  return { latex: marked.latex, pdf: form === 'colour' ? compiled.data : null };
}
