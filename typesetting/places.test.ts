/** The engines' SyncTeX files, read by latex/synctex/synctex.ts: positions match the PDF. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readSynctex, type Synctex } from '#latex/synctex/synctex.ts';
import { createTypesetter, type Engine } from './index.ts';

/** `wordN` is on line N of the file indicated by the word's letter. */
const main = `\\documentclass{article}
\\usepackage{amsmath}
\\begin{document}
\\section{Heading word4}
A paragraph with word5 in it that goes on for long enough to fill more than a single line of the page
and says word6 before it comes to its end.

\\begin{equation}
  a + \\mathrm{word9}
\\end{equation}
\\begin{tabular}{l|r}
  word12 & cell \\\\ \\hline
  word13 & cell
\\end{tabular}
\\begin{itemize}
  \\item The point word16
\\end{itemize}
\\input{part}
Last\\footnote{The note word19.} of all.
\\end{document}
`;
const part = `\\section{Other}
Text with partword2 inside.
`;

let home: string;
beforeAll(() => {
  home = mkdtempSync(path.join(tmpdir(), 'inkproof-places-'));
  chmodSync(home, 0o755);
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

describe.each<Engine>(['xelatex', 'pdflatex', 'lualatex'])('%s', (engine) => {
  let synctex: Synctex;
  /** Centre of each word, in points from the top left, according to poppler. */
  let words: { text: string; page: number; x: number; y: number }[];

  beforeAll(async () => {
    const typesetter = await createTypesetter({ workDir: path.join(home, 'work'), concurrency: 1 });
    const assets = [{ name: 'part.tex', bytes: new TextEncoder().encode(part) }];
    const result = await typesetter.compile({ latex: main, assets, engine, owner: 'places' });
    await typesetter.close();
    if (result.kind !== 'compiled' || !result.synctex) throw new Error(JSON.stringify(result));
    synctex = readSynctex(gunzipSync(result.synctex))!;
    const pdf = path.join(home, `${engine}.pdf`);
    writeFileSync(pdf, result.pdf);
    const found = execFileSync('pdftotext', ['-bbox', pdf, '-'], { encoding: 'utf8' });
    const pattern =
      /xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">[^<]*?((?:part)?word\d+)/g;
    words = [...found.matchAll(pattern)].map(([, x1, y1, x2, y2, text]) => ({
      text: text!,
      page: 1,
      x: (Number(x1) + Number(x2)) / 2,
      y: (Number(y1) + Number(y2)) / 2,
    }));
  });

  test('reads to the end, and names the files as the document does', () => {
    expect(synctex).toMatchObject({ isComplete: true, pageCount: 1, files: ['main.tex', 'part.tex'] });
    expect(words).toHaveLength(9);
  });

  test('each word leads to its line', () => {
    const lines = words.map((word) => [word.text, synctex.findInSource(word)]);
    // a displayed formula is recorded with the line of its \end
    const line = (text: string) => (text === 'word9' ? 10 : Number(/\d+/.exec(text)![0]));
    expect(lines).toEqual(
      words.map(({ text }) => [
        text,
        { file: text.startsWith('part') ? 'part.tex' : 'main.tex', line: line(text) },
      ]),
    );
  });

  test('each line leads to its word', () => {
    for (const { text, x, y } of words) {
      const place = synctex.findInPdf({
        file: text.startsWith('part') ? 'part.tex' : 'main.tex',
        line: Number(/\d+/.exec(text)![0]),
      });
      const holds = place?.rectangles.some(
        (one) => x >= one.x && x <= one.x + one.width && y >= one.y - 2 && y <= one.y + one.height + 2,
      );
      expect([text, holds]).toEqual([text, true]);
    }
  });
});
