/** Rewrites a formula that uses many packages in the LaTeX that formula renderers know. */

import type { Label } from '#latex/reader/tree.ts';
import { readGroup, readOptional } from '#latex/source/matches.ts';
import { scanLatex } from '#latex/source/scan.ts';
import { printNumber, printUnit } from './units.ts';

/** Same meaning, different name. */
const renamed: Record<string, string> = {
  mbox: '\\text',
  hbox: '\\text',
  textnormal: '\\text',
  mathds: '\\mathbb',
  mathbbm: '\\mathbb',
  mathscr: '\\mathscr',
  nicefrac: '\\frac',
  sfrac: '\\frac',
  slashed: '\\not',
  enspace: '\\;',
  upmu: '\\mu',
  dotsc: '\\ldots',
  intertext: '\\text',
  shortintertext: '\\text',
  ensuremath: '',
  nonumber: '',
  notag: '',
  qedhere: '',
  displaybreak: '',
  allowbreak: '',
  hfill: '\\quad',
  hfil: '',
  centering: '',
  normalfont: '',
  boldmath: '',
};

/** @param labels for references within formulas; without them they print as `?` */
export function prepareFormula(tex: string, labels: ReadonlyMap<string, Label>): string {
  const tokens = scanLatex(tex);
  let out = '';
  let copiedTo = 0;
  for (const [index, token] of tokens.entries()) {
    if (token.start < copiedTo) continue;
    const put = (text: string, end: number) => {
      out += tex.slice(copiedTo, token.start) + text;
      copiedTo = end;
    };
    if (token.kind === 'comment') put('', token.end);
    // TeX ends a formula at a blank line; here it is only a space
    if (token.kind === 'break') put('\n', token.end);
    if (token.kind !== 'command') continue;
    const group = (from: number) => {
      const optional = readOptional(tokens, from);
      return readGroup(tokens, optional ? optional.close + 1 : from);
    };
    const inside = (one: { start: number; end: number }) => tex.slice(one.start, one.end);
    const first = group(index + 1);
    switch (token.name) {
      case 'ref':
      case 'eqref': {
        if (!first) break;
        const number = labels.get(inside(first).trim())?.number || '?';
        put(`\\text{${token.name === 'eqref' ? `(${number})` : number}}`, tokens[first.close]!.end);
        break;
      }
      case 'label':
        if (first) put('', tokens[first.close]!.end);
        break;
      case 'num':
        if (first) put(`{${printNumber(inside(first))}}`, tokens[first.close]!.end);
        break;
      case 'ang':
        if (first) put(`{${printAngle(inside(first))}}`, tokens[first.close]!.end);
        break;
      case 'si':
      case 'unit':
        if (first) put(`{${printUnit(inside(first))}}`, tokens[first.close]!.end);
        break;
      case 'SI':
      case 'qty': {
        const second = first ? group(first.close + 1) : null;
        if (!first || !second) break;
        const unit = printUnit(inside(second));
        const gap = /^\{?\}?\^\\circ\}?$|^\\%$/.test(unit) ? '' : '\\,';
        put(`{${printNumber(inside(first))}${gap}${unit}}`, tokens[second.close]!.end);
        break;
      }
      default: {
        const other = Object.hasOwn(renamed, token.name) ? renamed[token.name]! : null;
        if (other !== null) put(other, token.end);
      }
    }
  }
  return out + tex.slice(copiedTo);
}

/** Degrees, minutes and seconds between semicolons. */
function printAngle(value: string): string {
  const signs = ['^\\circ', "'", "''"];
  return value
    .split(';')
    .slice(0, 3)
    .map((part, index) => (part.trim() ? printNumber(part) + signs[index] : ''))
    .join('');
}
