/** Rows of a table whose cells go on over several lines, in columns of a fixed width (p{…}, tabularx). */
import type { Line } from '../lines/lines.ts';
import type { Glyph, Rule } from '../model.ts';

export interface RowCell {
  glyphs: Glyph[];
  span: number;
  /** Words run across the edge of the column: which letters are whose is a guess. */
  isGuess?: boolean;
  x0: number;
  x1: number;
}

export interface Row {
  line: Line;
  cells: readonly (RowCell | undefined)[];
}

/** Rows as they were typed: the first line of each, and those that it goes on over. */
export function groupRows(lines: readonly Row[], rules: readonly Rule[], size: number): Row[][] {
  const width = lines[0]?.cells.length ?? 0;
  const right = Array.from({ length: width }, (_, k) =>
    Math.max(...lines.map(({ cells }) => (cells[k]?.span === 1 ? cells[k].x1 : -Infinity))),
  );
  // with a rule below each row, a line below another one belongs to it
  const widest = Math.max(...rules.map((r) => r.x1 - r.x0));
  const areRuled = rules.filter((r) => r.x1 - r.x0 > 0.97 * widest).length >= 4;
  const groups: Row[][] = [];
  for (const row of lines) {
    const group = groups.at(-1);
    const upper = group?.at(-1);
    const goesOn =
      group !== undefined &&
      upper !== undefined &&
      !rules.some((r) => r.y0 > upper.line.baseline && r.y0 < row.line.baseline) &&
      row.line.baseline - upper.line.baseline < 1.45 * size &&
      row.cells.every((cell, k) => !cell || isRestOf(cell, upper.cells[k], right[k] as number, size)) &&
      (areRuled || row.cells.some((cell, k) => !cell && group[0]?.cells[k]));
    if (goesOn) group.push(row);
    else groups.push([row]);
  }
  return groups;
}

/** Words at the left edge of the cell above, whose line had no room for the first of them. */
function isRestOf(cell: RowCell, above: RowCell | undefined, right: number, size: number): boolean {
  if (above?.span !== 1 || cell.span !== 1 || Math.abs(cell.x0 - above.x0) > 1) return false;
  if (![cell, above].every(hasWords) || !isText(above, size)) return false;
  return above.x1 + 0.25 * size + firstWord(cell, size) > right - 0.1 * size;
}

/** A line of a wide cell: three words, or one that is broken. */
function isText({ glyphs }: RowCell, size: number): boolean {
  const sorted = [...glyphs].sort((a, b) => a.x - b.x);
  const spaces = sorted.slice(1).filter((g, i) => {
    const before = sorted[i] as Glyph;
    return g.x - before.x - before.width > 0.2 * size;
  });
  return spaces.length >= 2 || sorted.at(-1)?.text === '-';
}

function hasWords({ glyphs }: RowCell): boolean {
  return glyphs.filter((g) => g.font.family === 'none' && /\p{L}/u.test(g.text)).length >= 2;
}

function firstWord({ glyphs, x0 }: RowCell, size: number): number {
  let end = x0;
  for (const g of [...glyphs].sort((a, b) => a.x - b.x)) {
    if (g.x - end > 0.2 * size) break;
    end = g.x + g.width;
  }
  return end - x0;
}
