/**
 * Where a document can be cut in two: the lines an engine may read before anybody asks for them, and the rest. The
 * engine reads main.tex from a pipe, line by line, and cannot tell that it waited between two lines. So a cut at any
 * line is right, and one before `\begin{document}` also leaves the auxiliary files unread; only documents that look at
 * the clock or at themselves notice, and those are not cut.
 */

import { looksAtClock } from '../engines/looks-at-clock.ts';
import type { Engine } from '../typesetter.ts';

export interface SplitDocument {
  /** Whole lines, up to the one with `\begin{document}`. */
  preamble: string;
  rest: string;
  /** False when a pass may read back what the document itself wrote: then every compile starts without such files. */
  canKeepAux: boolean;
}

/** While the engine waits, main.tex is not the whole document. */
const looksAtItself =
  /\\jobname|\\currfile|main\.(?:tex|log|fls)|\{\s*main\s*\}|\\input\s+main\b|embedfile|attachfile/;
const writesFiles = /filecontents|\\openout|\\newwrite|\\openin|\\newread|\\(?:Input)?IfFileExists/;

/** Cuts a document, or says with null that it has to be compiled from its beginning. */
export function splitDocument(latex: string, engine: Engine): SplitDocument | null {
  const at = findBody(latex);
  // a byte 0 near the beginning would make XeTeX guess UTF-16
  if (at === null || latex.includes('\0')) return null;
  const preamble = latex.slice(0, at);
  if (looksAtClock(latex) || looksAtItself.test(preamble)) return null;
  // XeTeX swallows the mark in a file; from a pipe it is given one of ours, see waiting-engine.ts
  const hasMark = engine === 'xelatex' && latex.startsWith('\uFEFF');
  return {
    preamble: hasMark ? preamble.slice(1) : preamble,
    rest: latex.slice(hasMark && at === 0 ? 1 : at),
    canKeepAux: !writesFiles.test(latex),
  };
}

/** Offset of the first line with `\begin{document}` that is no comment; null when there is none. */
function findBody(latex: string): number | null {
  // each line is looked at once: thousands on one line of comment would take minutes
  let commentEnd = 0;
  for (const match of latex.matchAll(/\\begin[ \t]*\{document\}/g)) {
    if (match.index < commentEnd) continue;
    const start = latex.lastIndexOf('\n', match.index - 1) + 1;
    if (match.index === 0 || !/(?<!\\)%/.test(latex.slice(start, match.index)))
      return match.index === 0 ? 0 : start;
    const end = latex.indexOf('\n', match.index);
    commentEnd = end < 0 ? latex.length : end;
  }
  return null;
}
