/** Captions of figures, tables and listings. */

import { readLine } from '../lines/inline.ts';
import { type Line, textOf } from '../lines/lines.ts';
import { dropFront, joinLines, plainText, type Span } from '../lines/spans.ts';
import type { Box } from '../model.ts';
import type { ReadState } from '../state.ts';

/** Anything that is not prose: a figure, a table, a listing. */
export interface PageObject {
  kind: 'figure' | 'table' | 'code' | 'algorithm' | 'rule';
  box: Box;
  /** Without a float or caption. */
  latex: string;
  caption?: string;
}

/** What stands in a column, from top to bottom. */
export type Element = { kind: 'line'; line: Line } | { kind: 'object'; object: PageObject };

const captionNumber = String.raw`\s*(?:[A-Z]?\d+(?:[.-]\d+)*|[IVX]+)\s*(?:[:.–—-]\s*|$)`;

const captionKinds: [RegExp, 'figure' | 'table' | 'code'][] = [
  [
    new RegExp(
      `^(?:fig(?:ure|\\.)?|abb(?:ildung|\\.)?|figura|figuur|рис(?:унок|\\.)?|rys(?:unek|\\.)?|obr(?:ázek|\\.)?|grafik|wykres|şekil)${captionNumber}`,
      'iu',
    ),
    'figure',
  ],
  [
    new RegExp(
      `^(?:table|tab(?:elle|leau|la|el|ulka|\\.)?|tabela|таблица|табл\\.|cuadro|tablica|tablo)${captionNumber}`,
      'iu',
    ),
    'table',
  ],
  [new RegExp(`^(?:listing|code|listagem|código)${captionNumber}`, 'iu'), 'code'],
];

/** A line that begins like a caption, and the caption's text. */
export function readCaption(
  spans: readonly Span[],
): { kind: 'figure' | 'table' | 'code'; rest: Span[] } | null {
  const start = captionStart(plainText(spans));
  return start && { kind: start.kind, rest: dropFront(spans, start.length) };
}

/** A caption's name and number at the start of a text, and their length. */
export function captionStart(text: string): { kind: 'figure' | 'table' | 'code'; length: number } | null {
  for (const [pattern, kind] of captionKinds) {
    const match = pattern.exec(text);
    if (match) return { kind, length: match[0].length };
  }
  return null;
}

/** The caption that a line begins if it stands above the next object; null if it is none. `last` is the line above it. */
export function readCaptionAbove(
  line: Line,
  following: readonly Element[],
  last: Line | null,
  state: ReadState,
): Span[] | null {
  const spans = readLine(line, state.inline);
  const caption = readCaption(spans);
  if (!caption) return null;
  const at = following.findIndex((e) => e.kind === 'object');
  const next = following[at];
  if (next?.kind !== 'object' || next.object.kind === 'rule') return null;
  const more = following.slice(0, at).flatMap((e) => (e.kind === 'line' ? [e.line] : []));
  const isNear = next.object.box.y0 - (more.at(-1) ?? line).y1 < 4 * state.bodySize;
  // further lines belong to the caption if they have its spacing and size
  const isOne = [line, ...more].every(
    (l, i, all) =>
      i === 0 ||
      (l.baseline - (all[i - 1] as Line).baseline < 1.35 * state.bodySize &&
        (Math.abs(l.size - line.size) < 0.3 || plainText(caption.rest) === '')),
  );
  if (!isNear || !isOne || more.length > 3) return null;
  if (caption.kind === 'figure') {
    // mostly a figure's caption stands below it
    const below = following[at + 1];
    const isCaptioned = below?.kind === 'line' && captionStart(textOf(below.line)) !== null;
    if (next.object.kind !== 'figure' || last === null || isCaptioned) return null;
  }
  const isFullSize = more.length > 0 && line.size > 0.97 * state.bodySize && plainText(caption.rest) !== '';
  if (isFullSize && more.some((l) => l.x0 < line.x0 - 1)) return null;
  return joinLines([caption.rest, ...more.map((l) => readLine(l, state.inline))], state.knows);
}

/** The object, as a float if it has a caption. */
export function withCaption(object: PageObject, caption: string | null, isAbove: boolean): string {
  if (caption === null || object.kind === 'algorithm' || object.kind === 'rule') return object.latex;
  if (object.kind === 'code') {
    return object.latex.startsWith('\\begin{lstlisting}[')
      ? object.latex.replace('[', `[caption={${caption}},`)
      : `${object.latex}\n\n\\noindent ${caption}`;
  }
  const inner = object.latex.replace(/^\\begin\{center\}\n/, '').replace(/\n\\end\{center\}$/, '');
  const env = object.kind === 'figure' ? 'figure' : 'table';
  const parts = isAbove ? [`  \\caption{${caption}}`, inner] : [inner, `  \\caption{${caption}}`];
  return `\\begin{${env}}[htbp]\n  \\centering\n${parts.join('\n')}\n\\end{${env}}`;
}
