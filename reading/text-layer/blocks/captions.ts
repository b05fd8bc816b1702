/** Captions of figures, tables and listings. */

import { dropFront, plainText, type Span } from '../lines/spans.ts';
import type { Box } from '../model.ts';

/** Anything that is not prose: a figure, a table, a listing. */
export interface PageObject {
  kind: 'figure' | 'table' | 'code' | 'algorithm' | 'rule';
  box: Box;
  /** Without a float or caption. */
  latex: string;
  caption?: string;
}

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
