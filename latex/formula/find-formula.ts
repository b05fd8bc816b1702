/** Whether a formula is part of another, regardless of variable names. */
import { limitTakers } from './names.ts';
import { isVariable } from './normalise-formula.ts';

/** Longer queries are cut: by then they are specific enough. */
const longestQuery = 300;

/** A formula prepared for many searches. */
export interface PreparedFormula {
  tokens: readonly string[];
  /** For each `_` and `^` that belongs to an integral, a sum or a limit: the index after its closing brace. Otherwise 0. */
  limitEnds: readonly number[];
}

/** @param tokens of `normaliseFormula` */
export function prepareFormula(tokens: readonly string[]): PreparedFormula {
  const limitEnds = new Array<number>(tokens.length).fill(0);
  /** For each open brace: the index of the limit's `_` or `^` that it belongs to, or -1. */
  const open: number[] = [];
  /** The previous token takes limits, or ends one of its limits. */
  let canTake = false;
  for (let i = 0; i < tokens.length; i++) {
    const token = tokens[i]!;
    if (token === '{') {
      open.push(canTake && (tokens[i - 1] === '_' || tokens[i - 1] === '^') ? i - 1 : -1);
      canTake = false;
    } else if (token === '}') {
      const limit = open.pop() ?? -1;
      if (limit >= 0) limitEnds[limit] = i + 1;
      canTake = limit >= 0;
    } else if (token !== '_' && token !== '^') canTake = limitTakers.has(token);
  }
  return { tokens, limitEnds };
}

/**
 * Where `query` (tokens of normaliseQuery) begins in the formula, as an index of its tokens; -1 if it is not part of
 * it. Variables may be renamed, consistently and to different names. Limits of integrals, sums and `\lim`
 * that the query does not have may be anything. Takes at most the product of both lengths.
 */
export function findFormula(query: readonly string[], formula: PreparedFormula): number {
  const sought = query.slice(0, longestQuery);
  if (sought.length === 0) return -1;
  for (let start = 0; start < formula.tokens.length; start++)
    if (matchesAt(sought, formula, start)) return start;
  return -1;
}

function matchesAt(query: readonly string[], { tokens, limitEnds }: PreparedFormula, start: number): boolean {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  let at = start;
  for (let i = 0; i < query.length; i++) {
    const wanted = query[i]!;
    while (i > 0 && limitEnds[at]! > 0 && tokens[at] !== wanted) at = limitEnds[at]!;
    const found = tokens[at++];
    if (found === undefined) return false;
    if (isVariable(wanted)) {
      const name = names.get(wanted);
      if (name === undefined) {
        if (!isVariable(found) || taken.has(found)) return false;
        names.set(wanted, found);
        taken.add(found);
      } else if (name !== found) return false;
    } else if (wanted !== found) return false;
  }
  return true;
}
