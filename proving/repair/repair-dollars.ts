/** Repairs odd dollar signs: per block that no formula crosses, the reading with the fewest words in formulas. */
import { innerMathEnvironments, mathOnlyCommands, structuralCommands } from '#latex/source/commands.ts';
import type { Token } from '#latex/source/scan.ts';
import type { Splice } from '#latex/source/splice.ts';
import { type Annotated, isAlignment } from '#latex/source/syntax.ts';

/** Words that end an unclosed formula: prose of three letters or more, and the most common short words. */
const proseWord =
  /^(?:\p{L}{3,}|is|of|to|in|an|if|we|so|or|be|by|at|as|on|it|no|le|la|de|et|un|du|en|zu|im|am|es|er|ob|da)$/u;

export function isProse(word: string): boolean {
  return proseWord.test(word.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, ''));
}

interface Interval {
  prose: number;
  maths: number;
}

function weigh(text: string, tokens: readonly Token[]): Interval {
  let prose = 0;
  let maths = 0;
  tokens.forEach((token, index) => {
    if (token.kind === 'text') {
      const previous = tokens[index - 1];
      const inCommand = previous?.kind === 'open' && tokens[index - 2]?.kind === 'command';
      if (!inCommand && isProse(text.slice(token.start, token.end))) prose++;
    } else if (token.kind === 'superscript' || token.kind === 'subscript') maths++;
    else if (token.kind === 'command' && mathOnlyCommands.has(token.name)) maths++;
    else if (token.kind === 'command' && /^(text(bf|it|tt)|emph|footnote|underline)$/.test(token.name))
      prose++;
  });
  return { prose, maths };
}

/** Returns the offset where the formula-like run after token `from` ends, before `limit`. */
function runEnd(text: string, tokens: readonly Token[], from: number, limit: number): number {
  let end = from < limit ? tokens[from]!.start : (tokens[limit - 1]?.end ?? 0);
  for (let i = from; i < limit; i++) {
    const token = tokens[i]!;
    if (token.kind === 'space' || token.kind === 'comment') continue;
    if (token.kind === 'text') {
      const word = text.slice(token.start, token.end);
      const isArgument = tokens[i - 1]?.kind === 'open';
      if (isProse(word) && !isArgument) break;
      const punctuation = /[.,;:!?]+$/.exec(word);
      end = token.end - (punctuation ? punctuation[0].length : 0);
      if (punctuation && tokens[i + 1]?.kind === 'space' && /[.;:!?]/.test(punctuation[0])) break;
      continue;
    }
    if (token.kind === 'command' && /^(text(bf|it|tt)|emph|footnote|\\|newline)$/.test(token.name)) break;
    end = token.end;
  }
  return end;
}

/** Returns splices that leave an even number of dollar signs in every block. */
export function repairDollars(text: string, { tokens, spots }: Annotated): Splice[] {
  const splices: Splice[] = [];
  let from = 0;
  const flush = (to: number) => {
    splices.push(...repairStretch(text, tokens, from, to));
    from = to + 1;
  };
  tokens.forEach((token, index) => {
    const { environment } = spots[index]!;
    const divides =
      token.kind === 'break' ||
      token.kind === 'double-dollar' ||
      ((token.kind === 'begin' || token.kind === 'end') && !innerMathEnvironments.has(token.name)) ||
      (token.kind === 'command' && (structuralCommands.has(token.name) || /^[[\]]$/.test(token.name))) ||
      (/^tabular|^longtable/.test(environment ?? '') &&
        isAlignment(environment) &&
        (token.kind === 'ampersand' || (token.kind === 'command' && token.name === '\\')));
    // `$a$$b$` is two formulas if one is open.
    if (token.kind === 'double-dollar' && countDollars(tokens, from, index) % 2 === 1) return;
    if (divides) flush(index);
  });
  flush(tokens.length);
  return splices;
}

const countDollars = (tokens: readonly Token[], from: number, to: number) => {
  let count = 0;
  for (let i = from; i < to; i++)
    count += tokens[i]!.kind === 'dollar' ? 1 : tokens[i]!.kind === 'double-dollar' ? 2 : 0;
  return count;
};

function repairStretch(text: string, tokens: readonly Token[], from: number, to: number): Splice[] {
  const dollars: number[] = [];
  for (let i = from; i < to; i++) if (tokens[i]!.kind === 'dollar') dollars.push(i);
  if (dollars.length % 2 === 0) return [];
  const bounds = [from - 1, ...dollars, to];
  const intervals = bounds
    .slice(0, -1)
    .map((bound, k) => weigh(text, tokens.slice(bound + 1, bounds[k + 1]!)));
  /** Cost of reading intervals `list` as text, formula, text, … */
  const cost = (list: readonly Interval[]) =>
    list.reduce((sum, { prose, maths }, k) => sum + (k % 2 === 1 ? prose : 2 * maths), 0);
  let best: { cost: number; splice: Splice } | null = null;
  const consider = (price: number, splice: Splice) => {
    if (!best || price < best.cost) best = { cost: price, splice };
  };
  dollars.forEach((dollar, k) => {
    const before = intervals[k]!;
    const after = intervals[k + 1]!;
    const token = tokens[dollar]!;
    const rest = text.slice(token.end, token.end + 12);
    const isMoney = /^\s?\d/.test(rest) && !/^\s?\d+(\.\d+)?\s*[\^_\\+\-*/=<>]/.test(rest);
    // Reading 1: a dollar sign (money) or a mistake.
    const merged = { prose: before.prose + after.prose, maths: before.maths + after.maths };
    const without = [...intervals.slice(0, k), merged, ...intervals.slice(k + 2)];
    consider(cost(without) + (isMoney ? 0.1 : 1.2), {
      start: token.start,
      end: token.end,
      text: isMoney ? '\\$' : '',
    });
    // Reading 2: an opening without its close.
    const limit = bounds[k + 2]!;
    const end = runEnd(text, tokens, dollar + 1, limit);
    if (end > token.end) {
      const inside = weigh(
        text,
        tokens.slice(dollar + 1, limit).filter((one) => one.end <= end + 1),
      );
      const outside = { prose: after.prose - inside.prose, maths: after.maths - inside.maths };
      const opened = [...intervals.slice(0, k + 1), inside, outside, ...intervals.slice(k + 2)];
      consider(cost(opened) + 0.5, { start: end, end, text: '$' });
    }
    // Reading 3: a close without its opening; the formula is the last run without blanks before it.
    const previous = tokens[dollar - 1];
    if (previous && dollar - 1 > bounds[k]! && previous.kind !== 'space') {
      let first = dollar - 1;
      while (first - 1 > bounds[k]! && tokens[first - 1]!.kind !== 'space') first--;
      const inside = weigh(text, tokens.slice(first, dollar));
      const outside = { prose: before.prose - inside.prose, maths: before.maths - inside.maths };
      const closed = [...intervals.slice(0, k), outside, inside, ...intervals.slice(k + 1)];
      consider(cost(closed) + 0.6, { start: tokens[first]!.start, end: tokens[first]!.start, text: '$' });
    }
  });
  return best ? [(best as { splice: Splice }).splice] : [];
}
