/** Spaces between atoms: TeX's own, and those that were typed. */
import type { Glyph } from '../model.ts';
import type { AtomClass } from './symbols.ts';

/** \thinmuskip, \medmuskip and \thickmuskip, in mu. */
export interface Muskips {
  thin: number;
  med: number;
  thick: number;
}

const plain: Muskips = { thin: 3, med: 4, thick: 5 };
/** mathptmx.sty: formulas in Times are set tighter. */
const times: Muskips = { thin: 2, med: 2.5, thick: 4 };

/** By the face of a formula's letters. */
export function muskipsOf(glyphs: readonly Glyph[]): Muskips {
  const isTimes = ({ font }: Glyph) =>
    font.family === 'letters' && /^(?:NimbusRomNo9L|NimbusRoman|Times)/.test(font.name);
  return glyphs.some(isTimes) ? times : plain;
}

type Space = keyof Muskips;

/** Between two atoms (rows: the left one). Those in brackets are left out in scripts. */
const spacing: Record<AtomClass, Partial<Record<AtomClass, Space | [Space]>>> = {
  ord: { op: 'thin', bin: ['med'], rel: ['thick'], inner: ['thin'] },
  op: { ord: 'thin', op: 'thin', rel: ['thick'], inner: ['thin'] },
  bin: { ord: ['med'], op: ['med'], open: ['med'], inner: ['med'] },
  rel: { ord: ['thick'], op: ['thick'], open: ['thick'], inner: ['thick'] },
  open: {},
  close: { op: 'thin', bin: ['med'], rel: ['thick'], inner: ['thin'] },
  punct: { ord: ['thin'], op: ['thin'], rel: ['thin'], open: ['thin'], close: ['thin'], punct: ['thin'], inner: ['thin'] },
  inner: { ord: ['thin'], op: 'thin', bin: ['med'], rel: ['thick'], open: ['thin'], punct: ['thin'], inner: ['thin'] },
}; // biome-ignore format: a table

/** TeX's own gap between two atoms, in ems of the current size. */
export function naturalGap(left: AtomClass, right: AtomClass, isScript: boolean, muskips: Muskips): number {
  const space = spacing[left][right];
  if (space === undefined || (isScript && typeof space !== 'string')) return 0;
  return muskips[typeof space === 'string' ? space : space[0]] / 18;
}

/**
 * Spaces that are typed several times, in ems: a space between words is a third of one, or a little more. In a sentence
 * TeX may have stretched a single one as far.
 */
const repeated: [number, string][] = [
  [0.556, '\\;\\;'],
  [0.68, '\\ \\ '],
  [0.833, '\\;\\;\\;'],
];

/** The visible space beyond TeX's own, `ems` wide, as the nearest LaTeX space. */
export function visibleSpace(ems: number, { thin, thick }: Muskips, isInline: boolean): string {
  if (ems > 1.55) return '\\qquad ';
  const several = isInline ? undefined : repeated.find(([width]) => Math.abs(ems - width) < 0.04);
  if (several) return several[1];
  // around \implies
  if (Math.abs(ems - 1 - thick / 18) < 0.06) return '\\quad\\;';
  if (ems > 0.72) return '\\quad ';
  if (ems > (thick + 2.2) / 18) return '\\ ';
  if (ems > (thin + thick + 0.5) / 36) return '\\;';
  if (ems > (thin - 0.93) / 18) return '\\,';
  if (ems < (thin < 3 ? -0.1 : -0.13) && ems > -0.5) return '\\!';
  return '';
}
