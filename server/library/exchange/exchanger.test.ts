import { unzipSync } from 'fflate';
import { afterEach, expect, test } from 'vitest';
import { chooseFrom } from '../../../test-support/matrix.ts';
import { createExchanger, type Exchanger } from './exchanger.ts';

let exchanger: Exchanger;
afterEach(() => exchanger.close());
const document = (latex: string) => ({ title: 'T', latex, figures: [], pdf: null });
const wrap = (body: string, preamble = '') =>
  `\\documentclass{article}\n${preamble}\\begin{document}\n${body}\n\\end{document}\n`;

test('converts and imports concurrently', async () => {
  exchanger = createExchanger();
  const results = await Promise.all(
    (['docx', 'html', 'markdown'] as const).map((form) => exchanger.convert(document(wrap('$x$')), form)),
  );
  expect(Object.keys(unzipSync(results[0]!))).toContain('word/document.xml');
  expect(new TextDecoder().decode(results[2])).toBe('$x$\n');
  const imported = await exchanger.import('a.tex', new TextEncoder().encode(wrap('x')));
  expect(imported.title).toBe('a');
  await expect(exchanger.import('a.zip', new Uint8Array([1]))).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  });
});

test('a document that takes too long is ended, and the next one is served', async () => {
  exchanger = createExchanger({ cpuMs: 2_000 });
  const endless = wrap(`${'\\begin{itemize}\\item '.repeat(30)}${'$x$ & \\[y\\] '.repeat(150_000)}`);
  await expect(exchanger.convert(document(endless), 'docx')).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringContaining('too long'),
  });
  await expect(exchanger.import('a.tex', new TextEncoder().encode(wrap('x')))).resolves.toMatchObject({
    title: 'a',
  });
});

test('a document is not blamed when the machine is overloaded', async () => {
  exchanger = createExchanger({ cpuMs: 20_000, elapsedMs: 1 });
  await expect(exchanger.convert(document(wrap('$x$')), 'docx')).rejects.toMatchObject({
    code: 'BUSY',
    source: 'server',
  });
});

test('work in progress when the server stops is refused as busy, as is new work', async () => {
  exchanger = createExchanger();
  const underWay = exchanger.convert(document(wrap('$x$')), 'docx');
  const [outcome] = await Promise.allSettled([underWay, exchanger.close()]);
  expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'BUSY' } });
  await expect(exchanger.convert(document(wrap('$x$')), 'docx')).rejects.toMatchObject({ code: 'BUSY' });
});

const hostile: [string, string][] = [
  ['a macro that calls itself', wrap('\\a', '\\newcommand{\\a}{\\a\\a}')],
  [
    'macros that double',
    wrap(
      '\\z',
      Array.from(
        'abcdefghijklmnopqrstuvwxyz',
        (letter, n) =>
          `\\newcommand{\\${letter}}{${n === 0 ? 'x' : `\\${String.fromCharCode(96 + n)}`.repeat(2)}}`,
      ).join(''),
    ),
  ],
  ['groups without end', wrap('{'.repeat(3000))],
  ['deep lists', wrap('\\begin{itemize}\\item '.repeat(300))],
  ['a formula that grows in KaTeX', wrap('$\\def\\a{xxxxxxxxxx\\a}\\a$')],
  ['deep fractions', wrap(`$${'\\frac{'.repeat(2000)}x$`)],
  ['marks of XML and controls', wrap('\\verb|<w:t>&]]>| \u0001 \ufffe $\\text{<&>}$ \ud800')],
  ['nothing but an end', '\\end{document}'],
  [
    'names of objects',
    wrap('\\constructor \\__proto__ \\toString{x} \\begin{constructor}y\\end{constructor} \\ref{__proto__}'),
  ],
];
test.each(chooseFrom(import.meta.filename, hostile, 3))(
  '%s is converted as far as possible, or rejected',
  { timeout: 90_000 },
  async (_, latex) => {
    exchanger = createExchanger();
    for (const form of chooseFrom(import.meta.filename, ['docx', 'html', 'markdown'] as const)) {
      const bytes = await exchanger.convert(document(latex), form).catch((error) => {
        expect(error).toMatchObject({ code: 'INVALID_INPUT' });
        return null;
      });
      if (bytes) expect(bytes.length).toBeLessThan(60_000_000);
    }
  },
);
