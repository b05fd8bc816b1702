import { expect, test } from 'vitest';
import { joinSources } from './join-sources.ts';

const join = (files: Record<string, string>) => joinSources('main.tex', (path) => files[path] ?? null);

test('parts are inserted where the text inputs them, by any command', () => {
  const joined = join({
    'main.tex':
      '\\input{chapters/one}\n\\include{chapters/two} after\n\\verb|\\input{chapters/one}|\n% \\input{chapters/one}\n\\input{none}',
    'chapters/one.tex': 'One % end',
    'chapters/two.tex': 'Two \\input{chapters/three.tex}\\endinput gone',
    'chapters/three.tex': 'Three',
  });
  expect(joined).toBe(
    'One % end\n\n\\clearpage\nTwo Three\n\\clearpage  after\n\\verb|\\input{chapters/one}|\n% \\input{chapters/one}\n\\input{none}',
  );
});

test('of a part that is a document itself, only its body is used', () => {
  const part = '\\documentclass[main]{subfiles}\\begin{document}Body\\end{document}';
  expect(join({ 'main.tex': 'A \\subfile{one} Z', 'one.tex': part })).toBe('A Body Z');
});

test.each([
  ['a part that inputs itself', { 'b.tex': '\\input{c}', 'c.tex': '\\input{b}' }],
  [
    'parts that double at every step',
    Object.fromEntries(
      Array.from({ length: 14 }, (_, n) => [
        `${n === 13 ? 'b' : `p${n}`}.tex`,
        n === 0 ? 'x'.repeat(1000) : `\\input{p${n - 1}}`.repeat(4),
      ]),
    ),
  ],
])('%s ends at the limit, not in memory', (_, files) => {
  expect(() => join({ 'main.tex': '\\input{b}', ...files })).toThrow(
    expect.objectContaining({ code: 'INVALID_INPUT' }),
  );
});
