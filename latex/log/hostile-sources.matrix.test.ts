import { expect, test } from 'vitest';
import { listFixes, readLog } from './log.ts';

// Each of these once took time quadratic in the text's length, or worse, in the server's own process.
const hostile: [string, string][] = [
  ["LaTeX Error: File `zzz.tex' not found.", '\\a{'],
  ["LaTeX Error: File `zzz.tex' not found.", '\\a['],
  ['LaTeX Error: Option clash for package zzz.', '\\usepackage{a'],
  ['LaTeX Error: Option clash for package zzz.', ' '],
  ['Undefined control sequence.', '\n'],
  ['Undefined control sequence.', '\\['],
  ['Extra alignment tab has been changed to \\cr.', 'a & b \\\\\n'],
  ['Extra alignment tab has been changed to \\cr.', '\\left('],
  ['Package amsmath Error: Multiple \\tag.', ' '],
  ['Argument of \\x has an extra }.', '\\['],
];

test.each(hostile)(
  '%s over a text consisting only of %j is read, and its fixes are listed, quickly',
  (message, piece) => {
    const begun = piece.repeat(500_000 / piece.length);
    // as many closers for it
    const text = `${begun}\n${'\\right)}'.repeat(50_000)}`;
    const source = `\\documentclass{article}\n\\begin{document}\n${text}\n\\end{document}\n`;
    const messages = readLog(`./main.tex:3: ${message}\nl.3 ${piece}\n   x\n`, source);
    expect(messages).toHaveLength(1);
    for (const fix of listFixes(messages[0]!, source)) expect(fix.edits.length).toBeGreaterThan(0);
  },
);
