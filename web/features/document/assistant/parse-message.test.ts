import { expect, test } from 'vitest';
import { parseMessage } from './parse-message.ts';

test('words, code, formulas and lists are told apart', () => {
  expect(parseMessage('The **norm** of $x$ is `\\norm{x}`.\n\n- first $a_1$\n- second\n\n1. one')).toEqual([
    {
      kind: 'paragraph',
      inlines: [
        { kind: 'text', text: 'The ' },
        { kind: 'bold', text: 'norm' },
        { kind: 'text', text: ' of ' },
        { kind: 'maths', tex: 'x', isDisplay: false },
        { kind: 'text', text: ' is ' },
        { kind: 'code', text: '\\norm{x}' },
        { kind: 'text', text: '.' },
      ],
    },
    {
      kind: 'list',
      isOrdered: false,
      items: [
        [
          { kind: 'text', text: 'first ' },
          { kind: 'maths', tex: 'a_1', isDisplay: false },
        ],
        [{ kind: 'text', text: 'second' }],
      ],
    },
    { kind: 'list', isOrdered: true, items: [[{ kind: 'text', text: 'one' }]] },
  ]);
});

test.each([
  ['\\[\n\\int e^{-x^2}\n\\]', '\\int e^{-x^2}'],
  ['$$\na\n\n- b\n$$', 'a\n\n- b'],
  ['\\[ a = b \\]', 'a = b'],
])('a formula of its own: %j', (text, tex) => {
  expect(parseMessage(text)).toEqual([
    { kind: 'paragraph', inlines: [{ kind: 'maths', tex, isDisplay: true }] },
  ]);
});

test('prices, partial answers, and HTML are text', () => {
  const flat = (text: string) =>
    parseMessage(text).flatMap((block) => (block.kind === 'paragraph' ? block.inlines : []));
  for (const text of [
    'It costs $5 and $6.',
    'Half a formula $x +',
    '<img src=x onerror=alert(1)> [here](https://example.com) ![p](https://example.com/p.png)',
  ])
    expect(flat(text)).toEqual([{ kind: 'text', text }]);
});

test('a fence is code as far as it has come', () => {
  expect(parseMessage('So:\n```latex\n\\alpha\n')).toEqual([
    { kind: 'paragraph', inlines: [{ kind: 'text', text: 'So:' }] },
    { kind: 'code', text: '\\alpha\n' },
  ]);
});
