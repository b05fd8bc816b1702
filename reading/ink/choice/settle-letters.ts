/**
 * One hand writes a letter alike on the whole page, so a letter is misread alike, too: where every x looks like a k, each
 * line by itself is surely `k=3`. The lines of a page together say what the shape stands for: the language of formulas speaks
 * once a line, while the ink of all of them says little more than that of one.
 */

import { type DecodedLine, withoutEnclosure } from '../line/decode-line.ts';
import type { FormulaLanguage } from '../line/formula-language.ts';
import type { LineScores } from '../line/line-model.ts';
import { isOneFormula, languageOf, meanVote } from './compare-readings.ts';

/** A line of the page with the model's scores of all its crops. */
export interface SeenLine {
  read: DecodedLine;
  looks: readonly LineScores[];
}

/** Fewer lines do not show how a hand writes a letter. */
const leastLines = 2;
/** How much of the ink's evidence each further line adds: shapes of one hand resemble each other. */
const newInEachLine = 0.15;
/** Weight of the language's logarithms against the ink's. */
const languageWeight = 0.75;
const letter = /^[A-Za-z]$/;

/** @returns the lines in their order, letters that the page as a whole says otherwise replaced in all formulas */
export function settleLetters(
  lines: readonly SeenLine[],
  tokens: readonly string[],
  language: FormulaLanguage,
): DecodedLine[] {
  const formulas = lines
    .map(({ read, looks }, line) => ({ line, said: saidIn(read), read, looks }))
    .filter(({ said }) => isOneFormula(said))
    .map((one) => ({ ...one, open: one.looks.map((look) => withoutEnclosure(look, tokens)) }));
  const weigh = (said: readonly string[], { open }: (typeof formulas)[number]) => {
    const signs = said.slice(1, -1).map((token) => tokens.indexOf(token));
    return { ink: meanVote(signs, open, tokens), language: languageOf(signs, language) };
  };
  const swaps: { from: string; to: string; gain: number }[] = [];
  for (const from of new Set(formulas.flatMap(({ said }) => said.filter((token) => letter.test(token))))) {
    const having = formulas.filter(({ said }) => said.includes(from));
    if (having.length < leastLines) continue;
    const before = having.map((one) => weigh(one.said, one));
    for (const to of othersFor(from, having)) {
      const after = having.map((one) => weigh(swapped(one.said, from, to), one));
      const gained = (of: 'ink' | 'language') =>
        after.reduce((sum, value, at) => sum + value[of] - before[at]![of], 0);
      const share = newInEachLine + (1 - newInEachLine) / having.length;
      const gain = languageWeight * gained('language') + share * gained('ink');
      if (gain > 0) swaps.push({ from, to, gain });
    }
  }
  const settled = lines.map(({ read }) => read);
  const done = new Set<string>();
  for (const { from, to } of swaps.sort((a, b) => b.gain - a.gain)) {
    if (done.has(from) || done.has(to)) continue;
    done.add(from).add(to);
    for (const { line, said } of formulas)
      if (said.includes(from)) settled[line] = withLetter(settled[line]!, from, to);
  }
  return settled;
}

/** Letters that at least two of the lines could have instead, as a reading that was considered. */
function othersFor(from: string, having: readonly { said: string[]; read: DecodedLine }[]): string[] {
  const counts = new Map<string, number>();
  for (const { said, read } of having) {
    const considered = new Set((read.others ?? []).map((other) => other.tokens.join('\n')));
    const signs = new Set(
      (read.others ?? []).flatMap((other) => other.tokens.filter((token) => letter.test(token))),
    );
    for (const to of signs)
      if (to !== from && considered.has(swapped(said, from, to).join('\n')))
        counts.set(to, (counts.get(to) ?? 0) + 1);
  }
  return [...counts].filter(([, count]) => count >= leastLines).map(([to]) => to);
}

/** As sure as before: how clearly the shape was seen has not changed. The first reading becomes one of the others. */
function withLetter(read: DecodedLine, from: string, to: string): DecodedLine {
  const said = saidIn(read);
  const now = swapped(said, from, to).join('\n');
  const others = (read.others ?? []).filter((other) => other.tokens.join('\n') !== now);
  return {
    ...read,
    tokens: read.tokens.map((one) => (one.token === from ? { ...one, token: to } : one)),
    others: [{ tokens: said, share: read.share, score: read.score }, ...others],
  };
}

const saidIn = ({ tokens }: DecodedLine) => tokens.map(({ token }) => token);

const swapped = (said: readonly string[], from: string, to: string) =>
  said.map((token) => (token === from ? to : token));
