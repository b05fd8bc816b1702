/**
 * Documents that try to read, run or reach what is not theirs. Each compiles with the real engine in the real sandbox;
 * afterwards everything it gave back is searched for the canaries, and the machine for what it may have left.
 */
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTypesetter, type Typesetter } from './index.ts';
import { chunk } from './testing/bomb-png.ts';
import { findLeak, inflatedStreams } from './testing/find-leak.ts';
import { boxedProcesses, jobFolders } from './testing/left-behind.ts';

const canary = 'canary7f3a91c0secret';
/** Pixels of the canary picture: a pattern no ordinary picture has. */
const canaryPixels = Buffer.from('canarypixels9e41b7').toString('latin1').repeat(8);

let home: string;
let typesetter: Typesetter;

beforeAll(async () => {
  home = mkdtempSync(path.join(tmpdir(), 'inkproof-attack-'));
  // readable by everyone, so that only the box keeps it from the document
  writeFileSync(path.join(home, 'canary.txt'), `${canary}\n`);
  writeFileSync(path.join(home, 'canary.tex'), `${canary}\n`);
  writeFileSync(path.join(home, 'canary.png'), png(canaryPixels));
  writeFileSync(path.join(home, 'canary.pdf'), tinyPdf(canary));
  writeFileSync(
    path.join(home, 'canary.ps'),
    `%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n% ${canary}\n`,
  );
  copyFileSync(
    '/usr/share/texmf/fonts/opentype/public/lm/lmmono10-regular.otf',
    path.join(home, 'canary.otf'),
  );
  writeFileSync(path.join(home, 'canary.cfg'), `% ${canary}\n`);
  chmodSync(home, 0o755);
  process.env.INKPROOF_CANARY = canary;
  typesetter = await createTypesetter({ workDir: path.join(home, 'work'), concurrency: 3 });
});

afterAll(async () => {
  await typesetter?.close();
  rmSync(home, { recursive: true, force: true });
});

const wrap = (body: string, preamble = '') =>
  `\\documentclass{article}\n\\usepackage{graphicx}\n${preamble}\\begin{document}\nharmless\n${body}\n\\end{document}\n`;
/** `@/` stands for the folder with the canaries. */
const at = (text: string) => text.replaceAll('@/', `${home}/`);
const pdftex = '% !TEX program = pdflatex\n';

const attacks: Record<string, () => string> = {
  '\\input of an absolute path': () => wrap(at('\\input{@/canary.txt}')),
  '\\input of a parent path': () => wrap('\\input{../../../canary.txt}\\input{../../canary}'),
  '\\input of /etc/passwd': () => wrap('\\catcode`_=12 \\input{/etc/passwd}'),
  '\\openin and \\read': () =>
    wrap(at('\\newread\\r\\openin\\r=@/canary.txt \\ifeof\\r none\\else\\read\\r to\\x\\x\\fi')),
  '\\@@input primitive with quotes': () => wrap(at('\\makeatletter\\@@input "@/canary.txt" \\makeatother')),
  'verbatim input': () => wrap(at('\\verbatiminput{@/canary.txt}'), '\\usepackage{verbatim}\n'),
  'listing input': () => wrap(at('\\lstinputlisting{@/canary.txt}'), '\\usepackage{listings}\n'),
  '\\includegraphics of a foreign picture': () => wrap(at('\\includegraphics{@/canary.png}')),
  '\\includegraphics of a foreign PDF': () => wrap(at('\\includegraphics{@/canary.pdf}')),
  'pdfpages of a foreign PDF': () => wrap(at('\\includepdf{@/canary.pdf}'), '\\usepackage{pdfpages}\n'),
  '\\XeTeXpicfile': () => wrap(at('\\XeTeXpicfile "@/canary.png"')),
  '\\XeTeXpdffile': () => wrap(at('\\XeTeXpdffile "@/canary.pdf" page 1')),
  'pdf:fstream': () =>
    wrap(at('\\special{pdf:fstream @own (@/canary.txt)}\\special{pdf:put @catalog << /Own @own >>}')),
  'pdf:image': () => wrap(at('\\special{pdf:image (@/canary.png)}')),
  'pdf:epdf': () => wrap(at('\\special{pdf:epdf (@/canary.pdf)}')),
  'psfile special': () => wrap(at('\\special{psfile=@/canary.ps}\\special{ps: plotfile @/canary.ps}')),
  'font by path': () => wrap(at('\\font\\x="[@/canary.otf]"\\x hello')),
  'font map line by path': () =>
    wrap(at('\\special{pdf:mapline cmr10 default @/canary.txt}\\font\\x=cmr10 \\x hello')),
  '\\write18': () =>
    wrap(at('\\immediate\\write18{cp @/canary.txt leaked.tex}\\IfFileExists{leaked.tex}{\\input{leaked}}{}')),
  'input from a pipe': () => wrap(at('\\input|"cat @/canary.txt"')),
  'a format named in the first line': () => at('%&@/canary\n') + wrap(''),
  'the environment of the server': () =>
    wrap(
      '\\catcode0=12 \\newread\\r\\openin\\r=/proc/self/environ \\ifeof\\r\\else\\read\\r to\\x\\x\\fi\\input{/proc/1/environ}',
    ),
  'a neighbour job': () => wrap('\\input{../job-1/main.tex}\\input{../main}'),
  'a driver configuration that names a command': () =>
    wrap(
      at(
        '\\begin{filecontents*}[overwrite]{dvipdfmx.cfg}\nD "cat @/canary.txt > %o; cp @/canary.txt /work/leaked.txt"\n\\end{filecontents*}\n\\begin{filecontents*}{a.eps}\n%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n\\end{filecontents*}\n\\special{dvipdfmx:config D "cat @/canary.txt"}\\includegraphics{a.eps}',
      ),
    ),
  'pdfTeX: stream from a file': () =>
    pdftex + wrap(at('\\immediate\\pdfobj stream file {@/canary.txt}\\pdfrefobj\\pdflastobj')),
  'pdfTeX: \\pdffiledump': () =>
    pdftex + wrap(at('\\pdffiledump offset 0 length 40 {@/canary.txt}\\pdfmdfivesum file {@/canary.txt}')),
  'pdfTeX: \\pdfximage': () => pdftex + wrap(at('\\pdfximage {@/canary.pdf}\\pdfrefximage\\pdflastximage')),
  'pdfTeX: \\input of an absolute path': () => pdftex + wrap(at('\\input{@/canary.txt}')),
  'pdfTeX: font map by path': () =>
    pdftex + wrap(at('\\pdfmapline{=cmr10 CMR10 <@/canary.txt}\\font\\x=cmr10 \\x hello')),
  Lua: () =>
    `% !TEX program = lualatex\n${wrap(at('\\directlua{tex.print(io.open("@/canary.txt"):read("a"))}'))}`,
};

describe('what a document may not read or run', () => {
  test.concurrent.each(Object.keys(attacks))('%s', async (name) => {
    const result = await typesetter.compile({ latex: attacks[name]!(), owner: name, timeoutMs: 20_000 });
    expect(['compiled', 'failed']).toContain(result.kind);
    expect(findLeak(result, canary)).toBeNull();
    expect(findLeak(result, canaryPixels.slice(0, 18))).toBeNull();
    expect(findLeak(result, 'root:x:0')).toBeNull();
    expect(findLeak(result, Buffer.from(canary).toString('hex').toUpperCase())).toBeNull();
    expect(findLeak(result, 'LMMono10')).toBeNull();
  });

  test('the search itself finds a leak in every place it looks', async () => {
    const shown = await typesetter.compile({ latex: wrap(canary), owner: 'control' });
    expect(findLeak(shown, canary)).toBe('pdf text');
    const asset = { name: 'own.png', bytes: png(canaryPixels) };
    const picture = await typesetter.compile({
      latex: wrap('\\includegraphics{own.png}'),
      assets: [asset],
      owner: 'control',
    });
    if (picture.kind !== 'compiled') throw new Error(JSON.stringify(picture));
    expect(
      inflatedStreams(Buffer.from(picture.pdf)).some((stream) => stream.includes('canarypixels9e41b7')),
    ).toBe(true);
    const own = { name: 'own.txt', bytes: Buffer.from(`${canary}\n`) };
    const embedded = await typesetter.compile({
      latex: wrap('\\special{pdf:fstream @own (own.txt)}\\special{pdf:put @catalog << /Own @own >>}'),
      assets: [own],
      owner: 'control',
    });
    expect(findLeak(embedded, canary)).toBe('pdf stream');
    const message = await typesetter.compile({ latex: wrap(`\\errmessage{${canary}}`), owner: 'control' });
    expect(findLeak(message, canary)).toBe('messages');
  });

  test('files cannot be written outside the job', async () => {
    const places = [`${home}/written`, '../written', '../../written', '.written', '/tmp/inkproof-written'];
    const body = places.map(
      (place) => `\\immediate\\openout\\w=${place} \\immediate\\write\\w{x}\\immediate\\closeout\\w`,
    );
    await typesetter.compile({ latex: wrap(`\\newwrite\\w ${body.join('\n')}`), owner: 'writer' });
    for (const place of [`${home}/written`, `${home}/work/written`, '/tmp/inkproof-written'])
      expect(() => statSync(place)).toThrow();
  });

  test.each(['../escape.png', '/etc/x.png', 'a/b.png', '.hidden', 'main.tex', 'dvipdfmx.cfg', 'x\0.png', ''])(
    'an asset may not be called %j',
    async (name) => {
      const job = { latex: wrap(''), assets: [{ name, bytes: Buffer.from('x') }], owner: 'assets' };
      await expect(typesetter.compile(job)).rejects.toThrow('plain file name');
    },
  );

  test('nothing is left of any of them', async () => {
    expect(boxedProcesses(home)).toEqual([]);
    expect(jobFolders(path.join(home, 'work'))).toEqual([]);
    expect(readFileSync(path.join(home, 'canary.txt'), 'utf8')).toContain(canary);
  });
});

/** A 12 × 12 grey-scale PNG with these 144 pixels. */
function png(pixels: string): Buffer {
  const side = 12;
  const rows = Buffer.alloc(side * (side + 1));
  for (let row = 0; row < side; row++)
    rows.write(pixels.slice(row * side, (row + 1) * side), row * (side + 1) + 1, 'latin1');
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header[8] = 8;
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** One page that shows `text` in Helvetica. */
function tinyPdf(text: string): Buffer {
  const content = `BT /F1 12 Tf 10 10 Td (${text}) Tj ET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 50] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  return Buffer.from(
    `${body}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${body.length}\n%%EOF\n`,
    'latin1',
  );
}
