/**
 * Whether two formulas typeset the same. Both are set by TeX with the truth's own preamble, each on a page of its own;
 * the pages' glyphs and rules are compared. The same means:
 * - the same rows (glyphs on one baseline), each with the same characters in the same order, in the same size, weight
 *   and slant (upright mathematics and upright text of one design count as one face);
 * - every row at the same height, to 1.2 pt, counted from the first row;
 * - gaps between neighbours on a row that differ by at most 0.32 em (a thick space is 0.28 em), rows that begin within 1 em;
 * - as many rules, with widths to 4 pt.
 * Equation numbers are taken off on both sides.
 */

import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Typesetter } from '#typesetting/index.ts';
import { extractPage, openPdf } from '../glyphs/extract.ts';
import type { Glyph, PageModel } from '../model.ts';
import { preambleOf } from './displays.ts';

/** Where pdf.js keeps its fonts and character maps. */
export const packageFolder = dirname(
  dirname(dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/legacy/build/pdf.mjs')))),
);

/** Sets each display on a page of its own; a formula that TeX refuses has null. */
export async function typesetEach(
  displays: readonly string[],
  truthSource: string,
  extraPackages: readonly string[],
  typesetter: Typesetter,
): Promise<(PageModel | null)[]> {
  if (displays.length === 0) return [];
  const all = await typesetTogether(displays, truthSource, extraPackages, typesetter);
  if (all) return all;
  if (displays.length === 1) return [null];
  // the half with the formula that TeX refuses is halved again
  const middle = displays.length >> 1;
  return [
    ...(await typesetEach(displays.slice(0, middle), truthSource, extraPackages, typesetter)),
    ...(await typesetEach(displays.slice(middle), truthSource, extraPackages, typesetter)),
  ];
}

async function typesetTogether(
  displays: readonly string[],
  truthSource: string,
  extraPackages: readonly string[],
  typesetter: Typesetter,
): Promise<PageModel[] | null> {
  const preamble = preambleOf(truthSource).replace(/twocolumn,?/g, '');
  const extra = extraPackages
    .filter((p) => !new RegExp(`\\\\usepackage(\\[[^\\]]*\\])?\\{[^}]*\\b${p}\\b`).test(preamble))
    .map((p) => `\\usepackage{${p}}`)
    .join('\n');
  const pages = displays.map((d) => `\\thispagestyle{empty}\\noindent x\n${d}\n\\clearpage`).join('\n');
  const latex = `${preamble}\n${extra}\n\\pagestyle{empty}\\allowdisplaybreaks[0]\n\\begin{document}\n${pages}\n\\end{document}\n`;
  const engine = /fontspec|unicode-math|polyglossia/.test(preamble) ? 'xelatex' : 'pdflatex';
  const result = await typesetter.compile({ latex, engine, owner: 'formulas', cpuMs: 60_000 });
  if (result.kind !== 'compiled' || result.pageCount !== displays.length) return null;
  const pdf = await openPdf(new Uint8Array(result.pdf), packageFolder);
  try {
    const models: PageModel[] = [];
    for (let i = 0; i < displays.length; i++) models.push(await extractPage(pdf, i));
    return models;
  } finally {
    await pdf.loadingTask.destroy();
  }
}

interface Row {
  baseline: number;
  glyphs: Glyph[];
}

function rowsOf(model: PageModel, tolerance: number): Row[] {
  // The x before each display fixes where it begins.
  const [, ...glyphs] = model.glyphs;
  const rows: Row[] = [];
  for (const g of [...glyphs].sort((a, b) => a.baseline - b.baseline)) {
    const last = rows[rows.length - 1];
    if (last && g.baseline - last.baseline < tolerance) last.glyphs.push(g);
    else rows.push({ baseline: g.baseline, glyphs: [g] });
  }
  for (const row of rows) row.glyphs.sort((a, b) => a.x - b.x);
  return rows;
}

function face(g: Glyph): string {
  const upright =
    g.font.family === 'none' || (g.font.family === 'unicode' && /^[A-Za-z0-9()[\]+=,.;:!/]$/.test(g.text));
  return `${g.text}|${upright ? 'text' : g.font.family}|${g.font.bold}|${g.font.family === 'none' && g.font.italic}|${g.font.mono}|${g.font.sans && g.font.family === 'none'}`;
}

/** Null when the same, else what differs. */
export function difference(truth: PageModel, other: PageModel): string | null {
  // Two baselines closer than the tolerance fall in one row on one side and in two on the other: several are tried.
  const found = [0.35, 0.15, 0.8].map((tolerance) => differenceAt(truth, other, tolerance));
  return found.includes(null) ? null : (found[0] as string);
}

function differenceAt(truth: PageModel, other: PageModel, tolerance: number): string | null {
  const a = rowsOf(truth, tolerance);
  const b = rowsOf(other, tolerance);
  const text = (rows: Row[]) => rows.map((r) => r.glyphs.map((g) => g.text).join('')).join(' / ');
  if (a.length !== b.length) return `rows ${a.length} and ${b.length}: ${text(a)} <> ${text(b)}`;
  const leftA = Math.min(...a.flatMap((r) => r.glyphs.map((g) => g.x)));
  const leftB = Math.min(...b.flatMap((r) => r.glyphs.map((g) => g.x)));
  for (let i = 0; i < a.length; i++) {
    const ra = a[i] as Row;
    const rb = b[i] as Row;
    const dy = ra.baseline - (a[0] as Row).baseline - (rb.baseline - (b[0] as Row).baseline);
    if (Math.abs(dy) > 1.2) return `row ${i} is ${dy.toFixed(1)} pt off: ${text([ra])} <> ${text([rb])}`;
    if (ra.glyphs.map(face).join() !== rb.glyphs.map(face).join())
      return `row ${i}: ${text([ra])} <> ${text([rb])}`;
    for (let k = 0; k < ra.glyphs.length; k++) {
      const ga = ra.glyphs[k] as Glyph;
      const gb = rb.glyphs[k] as Glyph;
      if (Math.abs(ga.size - gb.size) > 0.4)
        return `row ${i}: ${ga.text} has size ${ga.size.toFixed(1)} and ${gb.size.toFixed(1)}`;
      const before = k > 0 ? [(ra.glyphs[k - 1] as Glyph).x, (rb.glyphs[k - 1] as Glyph).x] : [leftA, leftB];
      const shift = ga.x - (before[0] as number) - (gb.x - (before[1] as number));
      if (Math.abs(shift) > (k > 0 ? 0.32 : 1) * 11)
        return `row ${i}: ${shift.toFixed(1)} pt before ${ga.text} in ${text([ra])}`;
    }
  }
  const barsA = truth.rules
    .filter((r) => r.horizontal)
    .map((r) => r.x1 - r.x0)
    .sort((p, q) => p - q);
  const barsB = other.rules
    .filter((r) => r.horizontal)
    .map((r) => r.x1 - r.x0)
    .sort((p, q) => p - q);
  if (barsA.length !== barsB.length) return `${barsA.length} and ${barsB.length} rules`;
  if (barsA.some((w, i) => Math.abs(w - (barsB[i] as number)) > 4)) return 'a rule has another width';
  return null;
}
