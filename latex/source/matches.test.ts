import { expect, test } from 'vitest';
import { closerOf, readGroup, readOptional } from './matches.ts';
import { scanLatex } from './scan.ts';

/** Each token with a closer, and the text between. */
function listMatches(latex: string): string[] {
  const tokens = scanLatex(latex);
  return tokens.flatMap((token, index) => {
    const close = closerOf(tokens, index);
    return close < 0 ? [] : [latex.slice(token.start, tokens[close]!.end)];
  });
}

test('groups, options, environments and formulas end where TeX ends them', () => {
  expect(listMatches('{a{b}c} [d{]}] \\begin{e}\\begin{e}f\\end{e}\\end{e} \\(g\\) \\[h\\]')).toEqual([
    '{a{b}c}',
    '{b}',
    '[d{]}]',
    '{]}',
    '\\begin{e}\\begin{e}f\\end{e}\\end{e}',
    '\\begin{e}f\\end{e}',
    '\\(g\\)',
    '\\[h\\]',
  ]);
});

test('what is left open closes nothing else', () => {
  expect(listMatches('} {a \\begin{b}{c}\\begin{d}\\end{b} \\end{e}')).toEqual([
    '\\begin{b}{c}\\begin{d}\\end{b}',
    '{c}',
  ]);
  expect(listMatches('\\% {% }\n} \\verb|{| \\{ \\}')).toEqual(['{% }\n}']);
});

test('an option does not extend beyond its group or its paragraph', () => {
  expect(listMatches('{[a} ] [b\n\nc] [d {e ] [f\n\n] } ]')).toEqual(['{[a}', '{e ] [f\n\n] }']);
  expect(listMatches('[a [b]')).toEqual(['[a [b]', '[b]']);
});

test('arguments may follow white space and comments, but not in the next paragraph', () => {
  const read = (latex: string) => {
    const tokens = scanLatex(latex);
    const option = readOptional(tokens, 1);
    const group = readGroup(tokens, option ? option.close + 1 : 1);
    return [option, group].map((one) => one && latex.slice(one.start, one.end));
  };
  expect(read('\\a [b] % c\n {d}')).toEqual(['b', 'd']);
  expect(read('\\a{[}')).toEqual([null, '[']);
  expect(read('\\a\n\n{d}')).toEqual([null, null]);
});
