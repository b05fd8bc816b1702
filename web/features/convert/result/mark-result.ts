/** A result for download, with the readings that nobody has checked marked. */
import { markDoubts, marksLeftOut } from '#latex/assemble/mark-doubts.ts';
import type { Figure } from '#shared/api/conversion.ts';
import type { ErrorObject } from '#shared/api/errors.ts';
import type { DoubtForm } from '#shared/api/exchange.ts';
import type { DoubtfulSpot } from '#web/lib/doubtful-spots.ts';
import { compileLatex } from '../run/conversion-api.ts';

const noColour: ErrorObject = {
  code: 'INVALID_INPUT',
  error: 'With the spots to check in colour, this document does not compile. Download it without the colour.',
  source: 'user',
};

interface Unmarked {
  latex: string;
  figures: Figure[];
  spots: readonly DoubtfulSpot[];
}

interface MarkedResult {
  latex: string;
  /** Of `latex`; null if the one without marks prints the same. */
  pdf: Blob | null;
  /** Why there is no PDF with the marks: it does not compile with them, or nobody could be asked. */
  error?: ErrorObject;
}

export async function markResult(result: Unmarked, form: DoubtForm): Promise<MarkedResult> {
  const { latex, figures, spots } = result;
  const marked = form === 'none' ? null : markDoubts(latex, spots, form === 'colour' ? 'colour' : 'plain');
  if (!marked || marked.marked === 0) return { latex, pdf: null };
  const compiled = await compileLatex(marked.latex, figures);
  if (compiled.ok) return { latex: marked.latex, pdf: form === 'colour' ? compiled.data : null };
  const { error } = compiled;
  const isBroken = error.code === 'COMPILATION_FAILED' || error.code === 'COMPILATION_TIMEOUT';
  if (isBroken) return { latex: `${marksLeftOut}\n${latex}`, pdf: null, error: noColour };
  // a visitor with a sample has no account to compile with
  return { latex: marked.latex, pdf: null, error };
}
