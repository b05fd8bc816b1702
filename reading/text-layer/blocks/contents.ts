/** Tables of contents, which LaTeX makes itself. */
import { readLine } from '../lines/inline.ts';
import type { Line } from '../lines/lines.ts';
import { plainText } from '../lines/spans.ts';
import type { ReadState } from '../state.ts';
import { isCapitals } from './section-numbers.ts';

const heads =
  /^(Contents|Table of Contents|Inhaltsverzeichnis|Inhalt|Table des matières|Sommaire|Índice|Índice general|Indice|Inhoudsopgave|Sumário|Spis treści|Obsah|Содержание|Оглавление|Cuprins|İçindekiler)$/i;

/** Those of figures and tables, by what their captions are called in babel's languages. */
const lists: [RegExp, string][] = [
  [heads, '\\tableofcontents'],
  [
    /^(List of Figures|Abbildungsverzeichnis|Table des figures|Índice de figuras|Elenco delle figure|Lista de Figuras|Lijst van figuren|Spis rysunków|Список иллюстраций)$/i,
    '\\listoffigures',
  ],
  [
    /^(List of Tables|Tabellenverzeichnis|Liste des tableaux|Índice de (?:cuadros|tablas)|Elenco delle tabelle|Lista de Tabelas|Lijst van tabellen|Spis tablic|Список таблиц)$/i,
    '\\listoftables',
  ],
];

/** Whether a heading's text announces a table of contents. */
export const isContentsHeading = (text: string): boolean => heads.test(text);

/** Larger than the text, bold, or in capitals: no word of a sentence. */
function standsOut(line: Line, bodySize: number): boolean {
  const isText = line.glyphs.every((g) => g.font.family === 'none');
  const isBold = line.glyphs.every((g) => g.font.bold);
  return isText && (line.size > 1.08 * bodySize || isBold || isCapitals(line));
}

/**
 * What LaTeX makes itself below a heading such as "Contents", and how many lines are its entries, including the last
 * one's page number; null if it is none. A list of figures may have no entry.
 */
export function readContents(
  head: Line,
  following: readonly (Line | null)[],
  state: ReadState,
): { latex: string; taken: number } | null {
  if (!standsOut(head, state.bodySize)) return null;
  const heading = plainText(readLine(head, state.inline)).trim();
  const latex = lists.find(([pattern]) => pattern.test(heading))?.[1];
  if (latex === undefined) return null;
  let taken = 0;
  for (const line of following) {
    const last = line ? [...line.glyphs].sort((a, b) => b.x - a.x)[0] : undefined;
    const digits = line
      ? line.glyphs.filter((g) => g.x > line.x1 - 2.2 * line.size && /\d|[ivxl]/.test(g.text)).length
      : 0;
    const before =
      line && last
        ? Math.max(...line.glyphs.filter((g) => g.x < line.x1 - 2.2 * line.size).map((g) => g.x + g.width), 0)
        : 0;
    const isDotted = line !== null && line.glyphs.filter((g) => g.text === '.').length > 6;
    if (
      !line ||
      !last ||
      digits === 0 ||
      (!isDotted && line.x1 - before < 1.2 * line.size && before > 0 && line.x1 - before < 3)
    )
      break;
    taken += 1;
  }
  return taken === 0 && heads.test(heading) ? null : { latex, taken };
}
