/** The title block that \maketitle sets: a large upright line in the middle, then author and date. */

import { readLine } from '../lines/inline.ts';
import { findLines, type Line, textOf } from '../lines/lines.ts';
import { joinLines, plainStyle, type TextStyle, writeSpans } from '../lines/spans.ts';
import { boundsOf, type Glyph, type PageModel, type Rule } from '../model.ts';
import type { ReadState } from '../state.ts';
import { isCentred } from './display.ts';
import { isCapitals } from './section-numbers.ts';

export interface Title {
  title: { title: string; author?: string; date?: string };
  glyphs: Set<Glyph>;
}

/** The AMS classes set a title in bold capitals of the text's size, and its authors in smaller capitals. */
function readCapitals(lines: readonly Line[], middle: (l: Line) => boolean, state: ReadState): Title | null {
  const isBold = (l: Line) => l.glyphs.every((g) => g.font.bold || g.font.family !== 'none');
  const isUpper = (l: Line) => !/\p{Ll}/u.test(textOf(l)) && /\p{Lu}{2}/u.test(textOf(l));
  const end = lines.findIndex(
    (l) => !(middle(l) && isBold(l) && isUpper(l) && l.size < 1.4 * state.bodySize),
  );
  const titleLines = lines.slice(0, Math.max(0, end));
  const authors: Line[] = [];
  for (const line of lines.slice(titleLines.length)) {
    const last = authors.at(-1) ?? titleLines.at(-1);
    const isNear = last !== undefined && line.baseline - last.baseline < 4 * state.bodySize;
    if (!(isNear && middle(line) && (isUpper(line) || isCapitals(line))) || /^\d/.test(textOf(line))) break;
    authors.push(line);
  }
  if (titleLines.length === 0 || authors.length === 0) return null;
  const write = (own: readonly Line[], base: TextStyle) =>
    writeSpans(
      joinLines(
        own.map((l) => readLine(l, state.inline)),
        state.knows,
      ),
      base,
    ).trim();
  return {
    title: {
      title: write(titleLines, { ...plainStyle, bold: true }),
      author: write(authors, {
        ...plainStyle,
        smallCaps: authors.every(isCapitals) && authors.every(hasSmallCapitals),
      }),
    },
    glyphs: new Set([...titleLines, ...authors].flatMap((l) => l.glyphs)),
  };
}

function hasSmallCapitals(line: Line): boolean {
  return line.glyphs.every((g) => g.font.smallCaps || g.font.family !== 'none');
}

export function readTitle(
  glyphs: readonly Glyph[],
  rules: readonly Rule[],
  model: PageModel,
  state: ReadState,
): Title | null {
  if (glyphs.length === 0) return null;
  // authors side by side may stand above a page's two columns, neither of them across the middle
  const lines = findLines(
    glyphs.filter((g) => g.baseline < 0.55 * model.height),
    [],
    state.bodySize,
  );
  void rules;
  const all = boundsOf(glyphs.map((g) => g.ink));
  const edges = { left: all.x0, right: all.x1 };
  const middle = (l: Line) => Math.abs((l.x0 + l.x1) / 2 - (all.x0 + all.x1) / 2) < 0.04 * (all.x1 - all.x0);
  const first = lines[0];
  const capitals = readCapitals(lines, middle, state);
  if (capitals) return capitals;
  if (!first || first.size < 1.4 * state.bodySize || !middle(first)) return null;
  const isBold = first.glyphs.filter((g) => g.font.bold).length > 0.5 * first.glyphs.length;
  if (isBold && first.size < 1.6 * state.bodySize) return null;
  const titleLines: Line[] = [];
  const rest: Line[] = [];
  for (const line of lines) {
    if (!middle(line)) break;
    if (rest.length === 0 && line.size > 1.4 * state.bodySize) titleLines.push(line);
    else if (
      titleLines.length > 0 &&
      rest.length < 8 &&
      line.size > 0.95 * state.bodySize &&
      !line.glyphs.every((g) => g.font.bold) &&
      (isCentred(line, edges) || line.x1 - line.x0 < 0.6 * (all.x1 - all.x0))
    ) {
      const last = rest[rest.length - 1] ?? titleLines[titleLines.length - 1];
      if (last && line.baseline - last.baseline > 5.5 * state.bodySize) break;
      if (
        line.size < 1.05 * state.bodySize &&
        (rest.length === 0 || (rest[0] as Line).size > 1.05 * state.bodySize)
      )
        break;
      rest.push(line);
    } else break;
  }
  if (titleLines.length === 0) return null;
  const write = (line: Line) => writeSpans(readLine(line, state.inline)).trim();
  let title = writeSpans(
    joinLines(
      titleLines.map((l) => readLine(l, state.inline)),
      state.knows,
    ),
  ).trim();
  // smaller lines close below the title belong to it
  const last = titleLines[titleLines.length - 1] as Line;
  while (rest[0] && rest[0].baseline - last.baseline < 1.6 * state.bodySize)
    title += ` \\\\ \\large ${write(rest.shift() as Line)}`;
  const used = new Set<Glyph>(
    [
      ...titleLines,
      ...lines.slice(titleLines.length, rest[0] ? lines.indexOf(rest[0]) : titleLines.length),
      ...rest,
    ].flatMap((l) => l.glyphs),
  );
  const texts = rest.map(write);
  const isDate = (t: string) =>
    /\d{4}|\d{1,2}[.\s]|january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|décembre/i.test(
      t,
    );
  const date = texts.length > 1 && isDate(texts[texts.length - 1] as string) ? texts.pop() : undefined;
  const author = texts.length > 0 ? texts.join(' \\\\ ') : undefined;
  return { title: { title, ...(author ? { author } : {}), ...(date ? { date } : {}) }, glyphs: used };
}
