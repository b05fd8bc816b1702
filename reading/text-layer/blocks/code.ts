/** Listings: lines of typewriter text kept verbatim. */

import { median } from '../../box.ts';
import type { Glyph } from '../model.ts';
import type { ReadState } from '../state.ts';

export function isCode(glyphs: readonly Glyph[]): boolean {
  const mono = glyphs.filter((g) => g.font.mono).length;
  return glyphs.length > 3 && mono > 0.7 * glyphs.length;
}

/** Cell width: listings may set each letter in a cell wider than its advance. */
function pitchOf(mono: readonly Glyph[]): number {
  const width = median(mono.map((g) => g.width)) || 5;
  const sorted = [...mono].sort((a, b) => a.baseline - b.baseline || a.x - b.x);
  const steps: number[] = [];
  for (let i = 1; i < sorted.length; i++) {
    const a = sorted[i - 1] as Glyph;
    const b = sorted[i] as Glyph;
    const step = b.x - a.x;
    if (Math.abs(a.baseline - b.baseline) < 0.5 && step > 0.5 * width && step < 1.6 * width) steps.push(step);
  }
  const pitch = median(steps);
  return Math.max(pitch, width);
}

/** Columns follow from the x positions: all letters of a typewriter face have the same width. */
function codeLines(glyphs: readonly Glyph[]): string[] {
  const mono = glyphs.filter((g) => g.font.mono);
  const advance = pitchOf(mono);
  const left = Math.min(...mono.map((g) => g.x));
  const rows: { y: number; glyphs: Glyph[] }[] = [];
  for (const g of [...glyphs].sort((a, b) => a.baseline - b.baseline)) {
    const row = rows.find((r) => Math.abs(r.y - g.baseline) < 0.3 * g.size);
    if (row) row.glyphs.push(g);
    else rows.push({ y: g.baseline, glyphs: [g] });
  }
  const leading = median(rows.slice(1).map((r, i) => r.y - (rows[i] as { y: number }).y));
  const out: string[] = [];
  rows.forEach((row, i) => {
    const before = rows[i - 1];
    if (before && leading > 0) {
      const empty = Math.min(3, Math.round((row.y - before.y) / leading) - 1);
      for (let k = 0; k < empty; k++) out.push('');
    }
    let text = '';
    let last: Glyph | null = null;
    for (const g of row.glyphs.sort((a, b) => a.x - b.x)) {
      if (!g.font.mono && text === '' && g.x < left - advance) continue;
      // from letter to letter: cells may be a little wider than they seem
      const columns: number = Math.round((g.x - (last?.x ?? left)) / advance) - (last ? 1 : 0);
      text += ' '.repeat(Math.max(0, Math.min(columns, 300 - text.length))) + g.text;
      last = g;
    }
    out.push(plainCode(text));
  });
  return out;
}

export function plainCode(text: string): string {
  return text
    .replace(/[’‘]/g, "'")
    .replace(/[“”]/g, '"')
    .replace(/−/g, '-')
    .replace(/∼/g, '~')
    .replace(/ˆ/g, '^')
    .replace(/∗/g, '*')
    .replace(/␣/g, ' ')
    .replace(/…/g, '...');
}

export function writeCode(
  glyphs: readonly Glyph[],
  state: ReadState,
  frame: string,
  hasNumbers: boolean,
): string {
  return writeListing(codeLines(glyphs), state, frame, hasNumbers);
}

export function writeListing(
  code: readonly string[],
  state: ReadState,
  frame: string,
  hasNumbers: boolean,
): string {
  const lines = code.filter((l) => !/^\\end\{(lstlisting|verbatim)\}/.test(l.trim()));
  const isAscii = lines.every((l) => /^[\x20-\x7e]*$/.test(l));
  if (!isAscii) return `\\begin{verbatim}\n${lines.join('\n')}\n\\end{verbatim}`;
  state.packages.add('listings');
  return `\\begin{lstlisting}[basicstyle=\\ttfamily\\small,columns=fullflexible,keepspaces=true${frame}${hasNumbers ? ',numbers=left' : ''}]\n${lines.join('\n')}\n\\end{lstlisting}`;
}
