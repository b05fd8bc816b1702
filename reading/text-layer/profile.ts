/** Facts about the whole document that reading a page needs: body size, repeated heads, words, theorem numbering. */

import { type CounterGroup, depthOf, groupCounters, type Numbered } from './blocks/numbering.ts';
import { headingNumber, isCapitals, runInNumber } from './blocks/section-numbers.ts';
import { theoremHead } from './blocks/theorems.ts';
import { readingOrder } from './lines/columns.ts';
import { edgeRows, findFurniture } from './lines/furniture.ts';
import { readLine } from './lines/inline.ts';
import { type Line, linesOf, textOf } from './lines/lines.ts';
import { borrowsItalic } from './lines/math-letters.ts';
import type { Glyph, PageModel } from './model.ts';

export interface DocumentProfile {
  bodySize: number;
  /** Distance of baselines in a paragraph, in points. */
  leading: number;
  /** Keys of edge rows that several pages share. */
  repeated: Set<string>;
  /** Lower-cased words and hyphenated words within lines. */
  words: Set<string>;
  /** What is numbered on each examined page, in order. */
  numbered: Numbered[][];
  /** Sizes of numbered headings by their level, where they are larger than the text. */
  headingSizes: Map<number, number>;
  /** Headings as the AMS classes set them: sections in capitals, the deeper ones in their paragraphs. */
  isAms: boolean;
  /** Which kinds of theorems share a counter. */
  counters: CounterGroup[];
  /** Number of the last numbered heading on each examined page, from the first on; null if it has none. */
  headings: (string | null)[];
  /** Formulas use the text's italic letters. */
  borrowsItalic: boolean;
  /** Font ids of text faces that only mathematics uses. */
  mathFonts: Set<string>;
  /** 1-based number of the first page that was read. */
  firstPage: number;
}

/** Builds the profile from page models in order. */
export function profileDocument(models: readonly PageModel[], firstPage: number): DocumentProfile {
  const bodySize = commonestSize(models);
  const counts = new Map<string, number>();
  for (const model of models)
    for (const key of new Set(
      edgeRows(model)
        .filter((r) => !isHeadingRow(r, bodySize))
        .map((r) => r.key),
    ))
      counts.set(key, (counts.get(key) ?? 0) + 1);
  const repeated = new Set(
    [...counts]
      .filter(([key, n]) => n >= 2 && n >= Math.min(3, models.length * 0.3) && key.length > 3)
      .map(([key]) => key),
  );
  const words = new Set<string>();
  const numbered: Numbered[][] = [];
  const headingSizes = new Map<number, number>();
  const headings: (string | null)[] = [];
  let isAms = false;
  const leadings: number[] = [];
  for (const model of models) {
    let heading: string | null = null;
    const events: Numbered[] = [];
    numbered.push(events);
    const inline = { mathFonts: new Set<string>(), packages: new Set<string>() };
    // a running head has the form of a heading
    const furniture = findFurniture(model, repeated);
    const glyphs = model.glyphs.filter((g) => !furniture.glyphs.has(g));
    for (const region of readingOrder(model, glyphs)) {
      const lines = linesOf(region, [], bodySize);
      leadings.push(...distances(lines, bodySize));
      let isBroken = false;
      for (const line of lines) {
        const text = textOf(line);
        const number = headingNumber(line, bodySize);
        if (number !== null) {
          // a heading that runs into its text, and one in capitals, has the text's size
          if (line.size > 1.08 * bodySize) headingSizes.set(depthOf(number), line.size);
          heading = number;
          isAms ||= isCapitals(line) || runInNumber(line) !== null;
          events.push({ kind: 'heading', number });
        }
        // the last word of a line may be half a word, and the first of the next its other half
        const whole = text.replace(/\S+$/, '').replace(isBroken ? /^\S+/ : '', '');
        for (const word of whole.match(/\p{L}+(?:-\p{L}+)*/gu) ?? []) words.add(word.toLowerCase());
        isBroken = /[-‐\u00ad]$/u.test(text);
        if (!/^\s*(\p{Lu}|th)/u.test(text)) continue;
        const first = line.glyphs[0];
        if (!first || !(first.font.bold || first.font.italic || first.font.smallCaps)) continue;
        const head = theoremHead(readLine(line, inline));
        if (head?.number) events.push({ kind: 'theorem', name: head.kind, number: head.number });
      }
    }
    headings.push(heading);
  }
  return {
    bodySize,
    leading: leadingOf(leadings) ?? 1.2 * bodySize,
    repeated,
    words,
    numbered,
    headingSizes,
    isAms,
    counters: groupCounters(numbered.flat()),
    headings,
    borrowsItalic: borrowsItalic(models.flatMap((m) => m.glyphs)),
    mathFonts: mathFontsOf(models),
    firstPage,
  };
}

/** A heading that begins pages, as "Problem 1" does: bold, larger than the text, and counted, which no running head is. */
function isHeadingRow({ glyphs, key }: { glyphs: readonly Glyph[]; key: string }, bodySize: number): boolean {
  return key.includes('#') && glyphs.every((g) => g.font.bold && g.size > 1.08 * bodySize);
}

/** Tall formulas, displays and space between paragraphs move lines apart, and nothing brings them closer. */
function leadingOf(distances: number[]): number | undefined {
  return distances.sort((a, b) => a - b)[Math.floor(distances.length / 4)];
}

/** Distances between neighbouring lines of prose. */
function distances(lines: readonly Line[], bodySize: number): number[] {
  const prose = lines.map(
    (l) =>
      Math.abs(l.size - bodySize) < 0.06 * bodySize &&
      l.x1 - l.x0 > 15 * bodySize &&
      l.y1 - l.y0 < 1.3 * l.size,
  );
  return lines
    .slice(1)
    .flatMap((l, i) => (prose[i] && prose[i + 1] ? [l.baseline - (lines[i] as Line).baseline] : []))
    .filter((d) => d > 0.9 * bodySize && d < 2.6 * bodySize);
}

function commonestSize(models: readonly PageModel[]): number {
  const counts = new Map<number, number>();
  for (const model of models) {
    for (const g of model.glyphs) {
      if (g.font.family !== 'none') continue;
      const key = Math.round(g.size * 10) / 10;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return [...counts.entries()].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 10;
}

/** TeX's own mathematics uses a second font object of the text face (OT1 beside T1): it has signs, and the text's object is another. */
function mathFontsOf(models: readonly PageModel[]): Set<string> {
  const byName = new Map<string, Map<string, { signs: number; words: number; count: number }>>();
  for (const model of models) {
    for (const g of model.glyphs) {
      if (g.font.family !== 'none' || g.font.mono) continue;
      const ids =
        byName.get(g.font.name) ?? new Map<string, { signs: number; words: number; count: number }>();
      byName.set(g.font.name, ids);
      const entry = ids.get(g.font.id) ?? { signs: 0, words: 0, count: 0 };
      ids.set(g.font.id, entry);
      entry.count += 1;
      if (/^[=+[\]]$/.test(g.text)) entry.signs += 1;
      if (/^[,.;’“”–éèäöü-]$/.test(g.text)) entry.words += 1;
    }
  }
  const out = new Set<string>();
  const total = (pattern: RegExp) =>
    [...byName]
      .filter(([name]) => pattern.test(name))
      .flatMap(([, ids]) => [...ids.values()])
      .reduce((n, entry) => n + entry.count, 0);
  // Computer Modern's T1 text has files of its own, which leave the old ones to mathematics
  const isT1 = total(/^SF[A-Z]{2}\d/) > 2 * total(/^CM[A-Z]+\d/);
  for (const [name, ids] of byName) {
    if (isT1 && /^CM(?:R|BX|TI|SS)\d/.test(name)) {
      for (const [id, entry] of ids) if (entry.words <= 0.05 * entry.count) out.add(id);
      continue;
    }
    if (ids.size < 2) continue;
    const main = [...ids.entries()].sort((a, b) => b[1].count - a[1].count)[0]?.[0];
    for (const [id, entry] of ids) if (id !== main && entry.signs > 0 && entry.words === 0) out.add(id);
  }
  return out;
}
