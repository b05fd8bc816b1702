/**
 * The visual order of a line with scripts of both directions: the Unicode bidirectional algorithm (UAX #9,
 * rules P2 to L2) for one line, without explicit direction marks, which are removed, and without its rule for
 * brackets.
 */

/** A piece of one direction; pieces are ordered visually, from left to right. */
export interface DirectedRun {
  text: string;
  isRightToLeft: boolean;
}

type BidiClass = 'L' | 'R' | 'AL' | 'EN' | 'AN' | 'ES' | 'ET' | 'CS' | 'NSM' | 'ON';

// JavaScript knows scripts, not bidi classes; the first match in this order gives the class
const classes: [BidiClass, RegExp][] = [
  ['NSM', /[\p{Mn}\p{Me}\u200c\u200d]/u],
  ['EN', /[0-9\u06f0-\u06f9\u00b2\u00b3\u00b9\u2070-\u2079\u2080-\u2089]/u],
  ['AN', /[\u0660-\u0669\u066b\u066c]/u],
  ['AL', /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u],
  ['R', /[\p{Script=Hebrew}\p{Script=Nko}\p{Script=Samaritan}\p{Script=Mandaic}\p{Script=Adlam}]/u],
  ['ES', /[+\u2212-]/u],
  ['ET', /[#%\p{Sc}\u00b0\u2030\u2032-\u2034]/u],
  ['CS', /[,./:\u00a0\u060c]/u],
  ['L', /[\p{L}\p{N}\p{Mc}]/u],
];
const explicitMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Splits a line into pieces of one direction, from left to right. */
export function orderText(line: string): DirectedRun[] {
  const characters = [...line.replace(explicitMarks, '')];
  const types = characters.map(
    (character) => classes.find(([, pattern]) => pattern.test(character))?.[0] ?? 'ON',
  );
  const firstStrong = types.find((type) => type === 'L' || type === 'R' || type === 'AL');
  const base = firstStrong === 'R' || firstStrong === 'AL' ? 1 : 0;
  const levels = findLevels(types, base);
  // trailing spaces go where the line ends
  for (let at = characters.length - 1; at >= 0 && /\s/u.test(characters[at]!); at--) levels[at] = base;
  return reorder(characters, levels);
}

function findLevels(types: BidiClass[], base: 0 | 1): number[] {
  resolveWeak(types, base);
  resolveNeutral(types, base);
  return types.map((type) => {
    if (type === 'R') return 1;
    const isNumber = type === 'EN' || type === 'AN';
    return isNumber || base === 1 ? 2 : 0;
  });
}

/** Rules W1 to W7: marks follow their letters, signs the numbers next to them. */
function resolveWeak(types: BidiClass[], base: 0 | 1): void {
  const edge: BidiClass = base === 1 ? 'R' : 'L';
  let strong: BidiClass = edge;
  for (const [at, type] of types.entries()) {
    if (type === 'NSM') types[at] = types[at - 1] ?? edge;
    else if (type === 'L' || type === 'R' || type === 'AL') strong = type;
    else if (type === 'EN' && strong === 'AL') types[at] = 'AN';
  }
  for (const [at, type] of types.entries()) if (type === 'AL') types[at] = 'R';
  for (const [at, type] of types.entries()) {
    const before = types[at - 1];
    if (before !== types[at + 1]) continue;
    if (before === 'EN' && (type === 'ES' || type === 'CS')) types[at] = 'EN';
    if (before === 'AN' && type === 'CS') types[at] = 'AN';
  }
  for (const [at, type] of types.entries()) {
    if (type !== 'ET') continue;
    const next = types.slice(at).find((other) => other !== 'ET');
    types[at] = types[at - 1] === 'EN' || next === 'EN' ? 'EN' : 'ON';
  }
  strong = edge;
  for (const [at, type] of types.entries()) {
    if (type === 'ES' || type === 'CS') types[at] = 'ON';
    else if (type === 'L' || type === 'R') strong = type;
    else if (type === 'EN' && strong === 'L') types[at] = 'L';
  }
}

/** Rules N1 and N2: what is between two of one direction has that direction, anything else the line's. */
function resolveNeutral(types: BidiClass[], base: 0 | 1): void {
  const edge: BidiClass = base === 1 ? 'R' : 'L';
  const sideOf = (type: BidiClass | undefined): BidiClass =>
    type === undefined ? edge : type === 'L' ? 'L' : 'R';
  for (let at = 0; at < types.length; at++) {
    if (types[at] !== 'ON') continue;
    let end = at;
    while (types[end] === 'ON') end++;
    const before = sideOf(types[at - 1]);
    types.fill(before === sideOf(types[end]) ? before : edge, at, end);
    at = end;
  }
}

/** Rule L2: from the highest level down, runs at that level or above are reversed as a whole. */
function reorder(characters: readonly string[], levels: readonly number[]): DirectedRun[] {
  const runs: { text: string; level: number }[] = [];
  for (const [at, character] of characters.entries()) {
    const last = runs.at(-1);
    if (last?.level === levels[at]) last!.text += character;
    else runs.push({ text: character, level: levels[at]! });
  }
  for (let level = 2; level > 0; level--)
    for (let at = 0; at < runs.length; at++) {
      if (runs[at]!.level < level) continue;
      let end = at;
      while (end < runs.length && runs[end]!.level >= level) end++;
      runs.splice(at, end - at, ...runs.slice(at, end).reverse());
      at = end;
    }
  return runs.map(({ text, level }) => ({ text, isRightToLeft: level % 2 === 1 }));
}
