/** Symbols that fonts build from two or more overlapping glyphs: long arrows, \mapsto, negations. */
import { boundsOf } from '../model.ts';
import type { Item } from './items.ts';
import { findSymbol } from './symbols.ts';

const negations: Record<string, string> = {
  '=': '\\ne', '∈': '\\not\\in', '≡': '\\not\\equiv', '⊂': '\\not\\subset', '⊆': '\\not\\subseteq', '∼': '\\not\\sim',
  '≈': '\\not\\approx', '<': '\\not<', '>': '\\not>', '≤': '\\not\\le', '≥': '\\not\\ge', '∃': '\\not\\exists', '∋': '\\not\\ni',
}; // biome-ignore format: a table

/** Name of a run of overlapping arrow parts, if it is as wide as the named arrow (in ems). */
function nameArrow(parts: string, ems: number): string | null {
  if (parts === '\u{E037}→') return '\\mapsto';
  if (/^\u{E037}−+→$/u.test(parts)) return '\\longmapsto';
  if (parts === '⇐⇒') return '\\Longleftrightarrow';
  if (parts === '←→') return '\\longleftrightarrow';
  if (parts === '=⇒' && ems < 1.8) return '\\Longrightarrow';
  if (parts === '⇐=' && ems < 1.8) return '\\Longleftarrow';
  // that of a narrow label, \xrightarrow{d}, is shorter
  if (parts === '−→' && ems > 1.2 && ems < 1.75) return '\\longrightarrow';
  if (parts === '←−' && ems > 1.2 && ems < 1.75) return '\\longleftarrow';
  if (/^[↪⊂]→$/.test(parts)) return '\\hookrightarrow';
  // over a very narrow label its tip begins before its shaft
  if (/^(?:−+→|→−)$/.test(parts)) return '\\xrightarrow';
  if (/^←−+$/.test(parts)) return '\\xleftarrow';
  if (/^=+⇒$/.test(parts)) return '\\xRightarrow';
  if (/^⇐=+$/.test(parts)) return '\\xLeftarrow';
  if (/^−+⇀$/.test(parts)) return '\\harpoonr';
  if (/^↽−+$/.test(parts)) return '\\harpoonl';
  if (/^∣=$|^\|=$/.test(parts)) return '\\models';
  return null;
}

const arrowParts = new Set([...'−=→←⇒⇐↪⊂∣|⇀↽', '\u{E037}']);

/** Joins the parts; `items` is sorted by start and stays so. An arrow's labels may be between its parts in x. */
export function composeSymbols(parts: Item[]): Item[] {
  const items = joinEqualSigns(parts);
  const out: Item[] = [];
  const used = new Set<Item>();
  for (const item of items) {
    if (used.has(item)) continue;
    if (isSlash(item) && strike(item, items, out)) continue;
    if (isPart(item)) {
      const group = [item];
      for (const next of items.slice(items.indexOf(item) + 1)) {
        const last = group[group.length - 1] as Item;
        if (used.has(next) || !isPart(next)) continue;
        if (next.start > last.end) break;
        if (touches(last, next)) group.push(next);
      }
      const arrow = group.length > 1 ? joinArrow(group) : null;
      if (arrow) {
        for (const part of group) used.add(part);
        out.push(arrow);
        continue;
      }
    }
    out.push(item);
  }
  return joinDots(joinIntegrals(joinHarpoons(out.filter((i) => !used.has(i)))));
}

/** \cong is a ∼ over an equals sign, \coloneqq a colon at the height of one. */
function joinEqualSigns(items: Item[]): Item[] {
  const used = new Set<Item>();
  const made: Item[] = [];
  for (const equals of items) {
    if (equals.kind !== 'glyph' || equals.text !== '=' || !equals.glyph) continue;
    const { size } = equals;
    const mate = items.find((i) => {
      if (i.kind !== 'glyph' || Math.abs(i.size - size) > 0.1 * size) return false;
      const rise = equals.baseline - i.baseline;
      const isOver =
        Math.abs(i.x0 + i.x1 - equals.x0 - equals.x1) < 0.1 * size && i.y1 < equals.y0 + 0.05 * size;
      if (i.text === '∼') return isOver && equals.y0 - i.y1 < 0.25 * size;
      return (
        i.text === ':' &&
        rise > 0.015 * size &&
        rise < 0.08 * size &&
        Math.abs(equals.start - i.end) < 0.12 * size
      );
    });
    if (!mate) continue;
    used.add(equals).add(mate);
    const text = mate.text === ':' ? '≔' : '≅';
    made.push({
      ...equals,
      ...boundsOf([mate, equals]),
      start: Math.min(mate.start, equals.start),
      end: Math.max(mate.end, equals.end),
      text,
      glyph: { ...equals.glyph, text },
    });
  }
  if (made.length === 0) return items;
  return [...items.filter((i) => !used.has(i)), ...made].sort((a, b) => a.start - b.start);
}

function joinArrow(group: Item[]): Item | null {
  const first = group[0] as Item;
  const box = boundsOf(group);
  const parts = group
    .map((g) => g.text)
    .join('')
    .replace(/−{3,}/g, '−−');
  const name = nameArrow(parts, (box.x1 - box.x0) / first.size);
  if (!name) return null;
  return {
    ...box,
    kind: 'arrow',
    baseline: first.baseline,
    size: first.size,
    start: first.start,
    end: Math.max(...group.map((g) => g.end)),
    latex: name,
    text: name,
    atom: 'rel',
  };
}

/** Three full stops above each other, or along a diagonal. */
function joinDots(items: Item[]): Item[] {
  const dots = items.filter((i) => i.kind === 'glyph' && i.text === '.');
  const used = new Set<Item>();
  const made: Item[] = [];
  for (const top of [...dots].sort((a, b) => a.baseline - b.baseline)) {
    if (used.has(top)) continue;
    const next = (from: Item, dx: number, dy: number) =>
      dots.find(
        (d) =>
          !used.has(d) &&
          Math.abs(d.start - from.start - dx) < 0.1 * top.size &&
          Math.abs(d.baseline - from.baseline - dy) < 0.12 * top.size,
      );
    for (const [dx, latex] of dotSteps) {
      const dy = dx === 0 ? 0.4 : 0.3;
      const second = next(top, dx * top.size, dy * top.size);
      const third = second && next(second, dx * top.size, dy * top.size);
      if (!second || !third) continue;
      const group = [top, second, third];
      for (const d of group) used.add(d);
      made.push({
        ...boundsOf(group),
        kind: 'built',
        baseline: third.baseline,
        size: top.size,
        start: Math.min(...group.map((d) => d.start)),
        end: Math.max(...group.map((d) => d.end)),
        latex,
        text: latex,
        atom: 'ord',
      });
      break;
    }
  }
  if (made.length === 0) return items;
  return [...items.filter((i) => !used.has(i)), ...made].sort((a, b) => a.start - b.start);
}

/** plain TeX's distances: \vdots steps 4 pt down; \ddots 3 pt down, and a full stop and 1 mu or 2 aside (at 10 pt). */
const dotSteps = [
  [0, '\\vdots'],
  [0.39, '\\ddots'],
  [-0.39, '\\iddots'],
] as const;

/** \\iint is two signs closer together than two integrals. */
function joinIntegrals(items: Item[]): Item[] {
  const out: Item[] = [];
  for (const item of items) {
    const last = out[out.length - 1];
    const isSign = (i: Item | undefined) => i !== undefined && i.kind === 'glyph' && /^[∫∬]$/.test(i.text);
    if (
      last &&
      isSign(last) &&
      item.text === '∫' &&
      item.kind === 'glyph' &&
      Math.abs(item.y0 - last.y0) < 1 &&
      item.x0 - (last.glyph?.ink.x0 ?? last.x0) < (last.text === '∬' ? 1.5 : 0.75) * item.size
    ) {
      const text = last.text === '∫' ? '∬' : '∭';
      out[out.length - 1] = {
        ...last,
        ...boundsOf([last, item]),
        end: item.end,
        text,
        glyph: last.glyph && { ...last.glyph, text },
      };
      continue;
    }
    out.push(item);
  }
  return out;
}

/** Two harpoons (with their shafts) above each other. */
function joinHarpoons(items: Item[]): Item[] {
  const out: Item[] = [];
  const used = new Set<Item>();
  for (const item of items) {
    if (used.has(item)) continue;
    const other = isHarpoon(item)
      ? items.find(
          (o) =>
            o !== item &&
            !used.has(o) &&
            isHarpoon(o) &&
            o.text !== item.text &&
            Math.abs(o.baseline - item.baseline) < 0.7 * item.size &&
            o.x0 < item.x1 &&
            o.x1 > item.x0,
        )
      : undefined;
    if (!other) {
      out.push(item);
      continue;
    }
    used.add(item);
    used.add(other);
    const box = boundsOf([item, other]);
    const axis = (box.y0 + box.y1) / 2;
    const isLong = box.x1 - box.x0 > 1.3 * item.size;
    out.push({
      ...box,
      kind: 'arrow',
      baseline: axis + 0.25 * item.size,
      size: item.size,
      start: Math.min(item.start, other.start),
      end: Math.max(item.end, other.end),
      latex: isLong ? '\\xrightleftharpoons' : '\\rightleftharpoons',
      text: '⇌',
      atom: 'rel',
    });
  }
  return out.filter((i) => !used.has(i));
}

function isHarpoon(item: Item): boolean {
  return /^(\\harpoon[lr]|⇀|↽|⇁|↼)$/.test(item.text);
}

/** \\notin is an ∈ with a plain slash over it. */
function strikeThrough(slash: Item, out: readonly Item[]): boolean {
  const target = out.find(
    (t) =>
      t.kind === 'glyph' &&
      t.atom === 'rel' &&
      Math.abs(t.baseline - slash.baseline) < 0.2 * slash.size &&
      Math.abs((t.x0 + t.x1) / 2 - (slash.x0 + slash.x1) / 2) < 0.15 * slash.size,
  );
  if (!target) return false;
  target.latex = target.text === '∈' ? '\\notin' : `\\not${findSymbol(target.text)?.latex ?? '='}`;
  target.kind = 'built';
  return true;
}

/** Puts a negation's slash on its relation. */
function strike(slash: Item, items: readonly Item[], out: Item[]): boolean {
  const near = (t: Item) =>
    t.kind === 'glyph' && t !== slash && Math.abs(t.baseline - slash.baseline) < 0.2 * slash.size;
  if (slash.text === '/') return strikeThrough(slash, out);
  const target =
    items.find((t) => near(t) && t.start >= slash.start - 0.01 && t.start - slash.start < 0.3 * slash.size) ??
    out.find((t) => near(t) && slash.x0 > t.start - 1 && slash.x1 < t.end + 1);
  if (!target) return false;
  target.latex = negations[target.text] ?? `\\not${findSymbol(target.text)?.latex ?? '='}`;
  target.kind = 'built';
  target.atom = 'rel';
  target.text = `\u0338${target.text}`;
  return true;
}

function isSlash(item: Item): boolean {
  return item.text === '\u0338' || (item.text === '/' && item.kind === 'glyph');
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
