/**
 * What an index stores of a formula: short runs of its tokens, with variables numbered by their first appearance in
 * the run. Whatever contains a query formula (find-formula.ts) has all fingerprints of the query; a formula with all of them
 * is then compared in full. Long queries are found by long runs, of which only some are stored: of a few neighbours,
 * the one with the smallest hash, which is the same in the query and in what contains it (winnowing; Schleimer,
 * Wilkerson, Aiken 2003).
 */
import { limitTakers } from './names.ts';
import { isVariable } from './normalise-formula.ts';

const shortStretch = 3;
const longStretch = 5;
/** Of this many neighbouring long runs, one is stored. */
const neighbours = 6;

/** Fingerprints to store for a document's formula, without duplicates. */
export function fingerprintFormula(tokens: readonly string[]): Set<string> {
  const found = new Set<string>();
  for (const row of listRows(tokens)) {
    addStretches(row, 1, found);
    addStretches(row, shortStretch, found);
    addChosen(row, found);
  }
  return found;
}

/** Fingerprints that every formula containing the query has. Empty only for an empty query. */
export function fingerprintQuery(tokens: readonly string[]): Set<string> {
  const found = new Set<string>();
  // limits of the query are rows of their own: what contains it has them complete, unless still being typed
  for (const row of listRows(tokens)) {
    if (row.length < shortStretch) addStretches(row, 1, found);
    else if (row.length < longStretch + neighbours - 1) addStretches(row, shortStretch, found);
    else addChosen(row, found);
  }
  return found;
}

/** The tokens without the limits of integrals, sums and `\lim`, then the content of each limit. */
function listRows(tokens: readonly string[]): string[][] {
  const main: string[] = [];
  const rows = [main];
  /** Where tokens go inside each open brace, and whether it is a limit's. */
  const open: { row: string[]; isLimit: boolean }[] = [];
  let row = main;
  let canTake = false;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    const isScript = (token === '_' || token === '^') && tokens[i + 1] === '{';
    if (isScript && canTake) {
      open.push({ row, isLimit: true });
      row = [];
      rows.push(row);
      canTake = false;
      i++;
      continue;
    }
    if (token === '{') open.push({ row, isLimit: false });
    else if (token === '}') {
      const closed = open.pop();
      if (closed?.isLimit) {
        row = closed.row;
        canTake = true;
        continue;
      }
    }
    row.push(token);
    canTake = limitTakers.has(token);
  }
  return rows;
}

/** Variables numbered by their first place in the run. */
function nameStretch(row: readonly string[], start: number, length: number): string {
  const names: string[] = [];
  let stretch = String(length);
  for (let i = start; i < start + length; i++) {
    const token = row[i]!;
    stretch += ' ';
    if (isVariable(token)) {
      let index = names.indexOf(token);
      if (index < 0) index = names.push(token) - 1;
      stretch += `v${index}`;
    } else stretch += token;
  }
  return stretch;
}

function addStretches(row: readonly string[], length: number, found: Set<string>): void {
  for (let start = 0; start + length <= row.length; start++) found.add(nameStretch(row, start, length));
}

function addChosen(row: readonly string[], found: Set<string>): void {
  const count = row.length - longStretch + 1;
  if (count < neighbours) return;
  const stretches = Array.from({ length: count }, (_, start) => nameStretch(row, start, longStretch));
  const hashes = stretches.map(hashStretch);
  for (let start = 0; start + neighbours <= count; start++) {
    let least = start;
    for (let i = start + 1; i < start + neighbours; i++) if (hashes[i]! < hashes[least]!) least = i;
    found.add(stretches[least]!);
  }
}

/** FNV-1a with another mixing step, so that the order of hashes is unrelated to the text. */
function hashStretch(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash ^= hash >>> 15;
  return Math.imul(hash, 0x2c1b3c6d) >>> 0;
}
