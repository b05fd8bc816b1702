/** Compares the lines read from a page with those on it. */

export interface PageScore {
  /** Lines of the page of which at least half the signs were read. */
  found: number;
  lines: number;
  /** Signs to change, to add (missing lines whole) and to remove (lines nobody wrote). */
  errors: number;
  signs: number;
}

/** Edit distance of two lists; every change counts one. */
export function distance(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, sign] of a.entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++)
      next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (sign === b[j] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}

/**
 * The signs of a line of LaTeX, without what leaves no mark on paper: dollar signs and displays, spaces, braces
 * around a single sign, text commands.
 */
export function signsOf(latex: string): string[] {
  const plain = latex
    .replaceAll(/\\(le|ge|ne)(?![A-Za-z])/g, '\\$1q')
    .replaceAll(/\\rightarrow\b/g, '\\to')
    .replaceAll(/\\(?:left|right)(?![A-Za-z])/g, '')
    .replaceAll(/\\(?:text|mathrm|operatorname)\{([^{}]*)\}/g, '$1')
    .replaceAll(
      /\\[()[\],;!]|\\q?quad\b|\\(?:begin|end)\{[a-z*]+\}|\\(?:item|displaystyle)\b|(?<!\\)\$|\s/g,
      '',
    )
    .replaceAll(/([\^_])\{(\\[A-Za-z]+|[^\\{}])\}/g, '$1$2');
  return plain.match(/\\[A-Za-z]+|\\.|./gu) ?? [];
}

/** Lines are matched in order, for the best fit. */
export function scorePage(truth: readonly string[], read: readonly string[]): PageScore {
  const wanted = truth.map(signsOf);
  const got = read.map(signsOf).filter((signs) => signs.length > 0);
  interface Match {
    errors: number;
    found: number;
  }
  const better = (a: Match, b: Match) => (b.errors < a.errors ? b : a);
  let row: Match[] = [{ errors: 0, found: 0 }];
  for (const [at, signs] of got.entries()) row.push({ errors: row[at]!.errors + signs.length, found: 0 });
  for (const signs of wanted) {
    const next: Match[] = [{ errors: row[0]!.errors + signs.length, found: row[0]!.found }];
    for (const [at, other] of got.entries()) {
      const errors = distance(signs, other);
      const matched: Match = {
        errors: row[at]!.errors + errors,
        found: row[at]!.found + (errors <= signs.length / 2 ? 1 : 0),
      };
      const missed: Match = { errors: row[at + 1]!.errors + signs.length, found: row[at + 1]!.found };
      const extra: Match = { errors: next[at]!.errors + other.length, found: next[at]!.found };
      next.push([missed, extra].reduce(better, matched));
    }
    row = next;
  }
  const { errors, found } = row.at(-1)!;
  return { errors, found, lines: truth.length, signs: wanted.reduce((sum, signs) => sum + signs.length, 0) };
}
