/** Maps TeX's lines back to pages and ranges of their bodies. */

import type { AssembledDocument } from '#latex/assemble/assemble.ts';
import type { LogMessage } from '#shared/api/errors.ts';
import type { PageWork } from './page-work.ts';

export interface PlacedError {
  message: LogMessage;
  page: PageWork;
  /** The range of the page's body where TeX stopped: a line, or part of it. */
  start: number;
  end: number;
}

export interface PlacedErrors {
  placed: PlacedError[];
  /** Errors in the preamble, with their 1-based line. */
  preamble: { message: LogMessage; line: number }[];
  /** Errors without a usable line. */
  lost: LogMessage[];
}

/** Characters of a source line that TeX shows at most before the place where it stopped (half_error_line is 50). */
const shownBefore = 50;

/** Narrows a line to where TeX stopped, if its excerpt shows that. */
function narrow(line: string, context: string | undefined): { from: number; to: number } {
  // Separators are not part of a fragment: `\item`, the end of a row.
  const head = /^\s*(\\item(\[[^\]]*\])?\s*)?/.exec(line)![0].length;
  const tail = /\s*(\\\\(\[[^\]]*\])?)?\s*(\\hline|\\(top|mid|bottom)rule)?\s*$/.exec(line)!.index;
  const whole =
    head < tail
      ? { from: head, to: tail }
      : { from: line.length - line.trimStart().length, to: line.trimEnd().length };
  if (!context?.startsWith('...')) return whole;
  const shown = context.slice(3).replace(/\.\.\.$/, '');
  const probe = shown.slice(0, 25);
  const at = line.indexOf(probe);
  if (at < 0 || line.indexOf(probe, at + 1) >= 0) return whole;
  const stop = Math.min(whole.to, at + shownBefore - 8);
  return { from: Math.max(whole.from, stop - 8), to: stop };
}

export function placeErrors(
  document: AssembledDocument,
  errors: readonly LogMessage[],
  pages: readonly PageWork[],
): PlacedErrors {
  const lineStarts = [0];
  for (let at = document.latex.indexOf('\n'); at >= 0; at = document.latex.indexOf('\n', at + 1))
    lineStarts.push(at + 1);
  const lineAt = (number: number) => {
    const start = lineStarts[number - 1]!;
    const end = (lineStarts[number] ?? document.latex.length + 1) - 1;
    return { start, text: document.latex.slice(start, end) };
  };
  const result: PlacedErrors = { placed: [], preamble: [], lost: [] };
  for (const message of errors) {
    let number = message.line;
    if (
      number === null ||
      number > lineStarts.length ||
      (message.file !== null && !/\.tex$/.test(message.file))
    ) {
      result.lost.push(message);
      continue;
    }
    if (lineStarts[number - 1]! < document.bodyStart) {
      result.preamble.push({ message, line: number });
      continue;
    }
    // An error at a blank line or at `\end{document}` concerns the text before it.
    while (
      number > 1 &&
      lineStarts[number - 1]! > document.bodyStart &&
      /^\s*(\\end\{document\})?\s*$/.test(lineAt(number).text)
    ) {
      number--;
    }
    const line = lineAt(number);
    const { from, to } = narrow(line.text, message.context);
    const first = document.locate(line.start + from);
    const last = document.locate(line.start + Math.max(from, to));
    const place = first ?? last;
    const page = pages.find((work) => work.number === place?.page);
    if (!place || !page) {
      result.lost.push(message);
      continue;
    }
    const end = last && last.page === place.page ? last.offset : place.offset;
    result.placed.push({
      message,
      page,
      start: Math.min(place.offset, end, page.body.length),
      end: Math.min(Math.max(place.offset, end), page.body.length),
    });
  }
  return result;
}
