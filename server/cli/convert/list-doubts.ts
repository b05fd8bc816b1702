/** A conversion's doubts, as `inkproof convert` lists them: for people one per line, for programs as JSON. */
import { toRanges } from '#latex/assemble/source-map.ts';
import type { DocumentDoubt, SourceMap } from '#shared/api/conversion.ts';
import type { Warning } from '#shared/api/errors.ts';

export interface ListedDoubt {
  page: number;
  /** Its position in the LaTeX that was written, from 1. */
  line: number;
  column: number;
  latex: string;
  /** Left, top, width and height of the ink as shares of the page; null if unknown. */
  box: [number, number, number, number] | null;
  /** The box was found by the look of the ink: it may be a line off. */
  is_approximate: boolean;
  confidence: number | null;
  reason: string | null;
  alternatives: string[];
}

export function listDoubts(
  latex: string,
  doubtful: readonly DocumentDoubt[],
  lines: SourceMap['lines'],
): ListedDoubt[] {
  const places = toRanges(latex, lines);
  return doubtful.map(({ start, end, page, confidence, reason, alternatives }) => {
    const before = latex.slice(0, start);
    const place = places.find((one) => one.page === page && one.start <= start && start < one.end);
    return {
      page,
      line: before.split('\n').length,
      column: start - before.lastIndexOf('\n'),
      latex: latex.slice(start, end),
      box: place?.box ?? null,
      is_approximate: place?.isApproximate ?? false,
      confidence: confidence ?? null,
      reason: reason ?? null,
      alternatives: alternatives ?? [],
    };
  });
}

/** Longest LaTeX shown in a line, in characters. */
const longestShown = 60;

export function describeDoubt({ page, line, latex, box, alternatives }: ListedDoubt): string {
  const shown = (text: string) => {
    const flat = text.replace(/\s+/g, ' ');
    return flat.length > longestShown ? `${flat.slice(0, longestShown)}…` : flat;
  };
  const percent = (share: number) => `${Math.round(100 * share)} %`;
  const where = box
    ? `, ${percent(box[1] + box[3] / 2)} down the page, ${percent(box[0])} from the left`
    : '';
  const others = alternatives.length > 0 ? ` (or ${alternatives.slice(0, 2).map(shown).join(', ')})` : '';
  return `unsure (page ${page}${where}; line ${line}): ${shown(latex)}${others}`;
}

/** The whole report, for `--json`. */
export interface ConvertReport {
  files: string[];
  pages: number[];
  missing_pages: number[];
  warnings: Warning[];
  doubtful: ListedDoubt[];
}
