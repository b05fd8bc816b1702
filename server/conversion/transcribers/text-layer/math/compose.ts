/** Symbols that fonts build from two or more overlapping glyphs: long arrows, \mapsto, negations. */
import { boundsOf } from '../model.ts';
import type { Item } from './items.ts';
import { findSymbol } from './symbols.ts';

const negations: Record<string, string> = {
  '=': '\\ne', '∈': '\\notin', '≡': '\\not\\equiv', '⊂': '\\not\\subset', '⊆': '\\not\\subseteq', '∼': '\\not\\sim',
  '≈': '\\not\\approx', '<': '\\not<', '>': '\\not>', '≤': '\\not\\le', '≥': '\\not\\ge', '∃': '\\not\\exists', '∋': '\\not\\ni',
}; // biome-ignore format: a table

/** Name of a run of overlapping arrow parts, when its width is that of the named one (in ems). */
function nameArrow(parts: string, ems: number): string | null {
  if (parts === '\u{E037}→') return '\\mapsto';
  if (/^\u{E037}−+→$/u.test(parts)) return '\\longmapsto';
  if (parts === '⇐⇒') return '\\iff';
  if (parts === '←→') return '\\longleftrightarrow';
  if (parts === '=⇒' && ems < 1.8) return '\\Longrightarrow';
  if (parts === '⇐=' && ems < 1.8) return '\\Longleftarrow';
  if (parts === '−→' && ems < 1.75) return '\\longrightarrow';
  if (parts === '←−' && ems < 1.75) return '\\longleftarrow';
  if (/^[↪⊂]→$/.test(parts)) return '\\hookrightarrow';
  if (/^−+→$/.test(parts)) return '\\xrightarrow';
  if (/^←−+$/.test(parts)) return '\\xleftarrow';
  if (/^=+⇒$/.test(parts)) return '\\xRightarrow';
  if (/^⇐=+$/.test(parts)) return '\\xLeftarrow';
  if (/^∣=$|^\|=$/.test(parts)) return '\\models';
  return null;
}

const arrowParts = new Set([...'−=→←⇒⇐↪⊂∣|', '\u{E037}']);

/** Joins the parts; `items` is sorted by start and stays so. */
export function composeSymbols(items: Item[]): Item[] {
  const out: Item[] = [];
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as Item;
    const next = items[i + 1];
    if (isSlash(item)) {
      const target = items
        .slice(i + 1, i + 4)
        .find(
          (t) =>
            t.kind === 'glyph' &&
            Math.abs(t.start - item.start) < 0.3 * item.size &&
            Math.abs(t.baseline - item.baseline) < 0.2 * item.size,
        );
      const before = out[out.length - 1];
      const onBefore =
        before && before.kind === 'glyph' && item.x0 > before.start - 1 && item.x1 < before.end + 1;
      const struck = target ?? (onBefore ? before : undefined);
      if (struck) {
        struck.latex = negations[struck.text] ?? `\\not${findSymbol(struck.text)?.latex ?? '='}`;
        struck.kind = 'built';
        struck.atom = 'rel';
        struck.text = `̸${struck.text}`;
        continue;
      }
    }
    if (next && isPart(item) && isPart(next) && touches(item, next)) {
      let end = i + 1;
      while (
        items[end + 1] &&
        isPart(items[end + 1] as Item) &&
        touches(items[end] as Item, items[end + 1] as Item)
      )
        end++;
      const group = items.slice(i, end + 1);
      const box = boundsOf(group);
      const ems = (box.x1 - box.x0) / item.size;
      const parts = group
        .map((g) => g.text)
        .join('')
        .replace(/−+/g, (run) => (run.length > 2 ? '−−' : run));
      const name = nameArrow(parts, ems);
      if (name) {
        out.push({
          ...box,
          kind: 'arrow',
          baseline: item.baseline,
          size: item.size,
          start: item.start,
          end: Math.max(...group.map((g) => g.end)),
          latex: name,
          text: name,
          atom: 'rel',
        });
        i = end;
        continue;
      }
    }
    out.push(item);
  }
  return out;
}

function isSlash(item: Item): boolean {
  return item.text === '̸' || item.text === '̸' || (item.text === '/' && item.end - item.start < 0.01);
}

function isPart(item: Item): boolean {
  return item.kind === 'glyph' && arrowParts.has(item.text);
}

function touches(a: Item, b: Item): boolean {
  return (
    Math.abs(a.baseline - b.baseline) < 0.05 * a.size &&
    Math.abs(a.size - b.size) < 0.05 * a.size &&
    b.start - a.end < -0.06 * a.size + (a.text === '\u{E037}' ? 0.12 * a.size : 0) &&
    (a.text !== b.text || a.text === '−' || a.text === '=')
  );
}
