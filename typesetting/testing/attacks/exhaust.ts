/**
 * Documents that try to use up a machine: its processors, memory, disk, processes, ids, or whoever reads what
 * they left.
 */
import { bombPng } from '../bomb-png.ts';
import { bombPdf, bombZip, deepPdf, hugeJpeg, loopPdf } from '../hostile-files.ts';
import { type Attack, byDocument, type Place, pdftex, type Step, shortCpuMs, wrap } from './attack.ts';

const exhaust = (what: string, latex: string) => byDocument('exhaust', what, latex, { cpuMs: shortCpuMs });
const figure = (
  what: string,
  name: string,
  make: () => Buffer,
  latex = `\\includegraphics{${name}}`,
): Attack => {
  let made: Buffer | null = null;
  return {
    kind: 'exhaust',
    what,
    steps: () => {
      made ??= make();
      return [{ owner: 'attacker', latex: wrap(latex), assets: [{ name, bytes: made }], cpuMs: shortCpuMs }];
    },
  };
};

const endless = '\\loop\\iftrue\\repeat';
/** A line of 10 000 letters in \x. */
const longLine =
  '\\def\\x{xxxxxxxxxx}\\edef\\x{\\x\\x\\x\\x\\x\\x\\x\\x\\x\\x}\\edef\\x{\\x\\x\\x\\x\\x\\x\\x\\x\\x\\x}\\edef\\x{\\x\\x\\x\\x\\x\\x\\x\\x\\x\\x}';
/** \providecommand and 81 000 opening braces on one line of the auxiliary file. */
const bracesLine = [
  '\\makeatletter\\catcode`\\[=1 \\catcode`\\]=2 \\catcode`\\{=12 \\def\\x[{{{{{{{{{{]',
  '\\edef\\x[\\x\\x\\x\\x\\x\\x\\x\\x\\x\\x]\\edef\\x[\\x\\x\\x\\x\\x\\x\\x\\x\\x\\x]\\edef\\x[\\x\\x\\x\\x\\x\\x\\x\\x\\x]',
  '\\immediate\\write\\@auxout[\\string\\providecommand\\x\\x\\x\\x\\x\\x\\x\\x\\x]\\catcode`\\{=1 \\makeatother',
].join('');
const count = '\\newcount\\n ';
const times = (loop: string, end: number) => `${count}\\loop ${loop}\\advance\\n1 \\ifnum\\n<${end} \\repeat`;
const many = (
  what: string,
  owners: (index: number) => Step['owner'],
  number: number,
  latex: (place: Place, index: number) => string,
): Attack => ({
  kind: 'exhaust',
  what,
  steps: (place) =>
    Array.from({ length: number }, (_, index) => ({
      owner: owners(index),
      latex: latex(place, index),
      cpuMs: shortCpuMs,
      isTogether: index > 0,
    })),
});

/**
 * A warm engine shows the edited page through a copy of itself that sees the end of the file early. `atEnd`
 * waits for that; the edits come so fast that each cancels the one before.
 */
const preview = (what: string, atEnd: string): Attack => ({
  kind: 'exhaust',
  what,
  steps: () => {
    // only between these two: files read at the document's end have an end too
    const latex = (edit: string) =>
      wrap(
        `\\everyeof{${atEnd}}one\\newpage\n${edit}\n\\newpage\nthree\n\\newpage\nfour\n\\newpage\n\\count1=0 \\loop\\advance\\count1 1 \\ifnum\\count1<1500000 \\repeat\nfive\\everyeof{}`,
      );
    return [
      { owner: 'attacker', latex: latex('two'), cpuMs: 20_000 },
      ...Array.from({ length: 8 }, (_, index) => ({
        owner: 'attacker' as const,
        latex: latex(`edit ${index}`),
        cancelAfterMs: 500,
      })),
    ];
  },
});

export const exhaustingAttacks: readonly Attack[] = [
  exhaust('an endless loop', wrap(endless)),
  exhaust('an endless loop in the preamble', wrap('x', `${endless}\n`)),
  exhaust('an endless loop in \\everypar', wrap('\\par\\everypar{\\loop\\iftrue\\repeat}x\\par x')),
  exhaust(
    'an endless output routine',
    wrap('\\output={\\global\\setbox1\\box255 \\loop\\iftrue\\repeat} x\\newpage x'),
  ),
  exhaust('an endless loop at the end of the document', wrap('x', `\\AtEndDocument{${endless}}\n`)),
  exhaust('pages that output themselves for ever', wrap('\\output={\\unvbox255 \\penalty-10000 }x\\newpage')),
  exhaust('a flood of pages', wrap('\\loop\\shipout\\vbox{\\hrule width 1000pt}\\iftrue\\repeat')),
  exhaust('a hundred thousand pages of text', wrap(times('x\\newpage', 100_000))),
  exhaust('a macro that doubles itself', wrap('\\def\\x{xxxxxxxxxx}\\loop\\edef\\x{\\x\\x}\\iftrue\\repeat')),
  exhaust('recursion without end', wrap('\\def\\x{\\x x}\\x \\def\\y{{\\y}}\\y')),
  exhaust('groups and conditionals without end', wrap('\\def\\x{\\begingroup\\iftrue\\x}\\x')),
  exhaust('boxes in boxes', wrap('\\setbox1\\hbox{x}\\loop\\setbox1\\hbox{\\copy1\\copy1}\\iftrue\\repeat')),
  exhaust(
    'memory of hyphenation, fonts and names',
    wrap(
      `${times('\\expandafter\\gdef\\csname x\\the\\n\\endcsname{xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx}', 3_000_000)}`,
    ),
  ),
  exhaust('a thousand fonts', wrap(times('\\font\\x=cmr10 at \\the\\n sp \\x a', 20_000))),
  exhaust('a hundred thousand labels', wrap(times('\\label{l\\the\\n}\\ref{l\\the\\n}', 100_000))),
  exhaust(
    'auxiliary files that change with every pass',
    wrap(
      '\\makeatletter\\newcount\\k\\InputIfFileExists{k.tex}{}{}\\advance\\k1 \\newwrite\\w\\immediate\\openout\\w=k.tex \\immediate\\write\\w{\\k=\\the\\k}\\immediate\\closeout\\w \\count255=0 \\loop\\advance\\count255 1 \\ifnum\\count255<8000000 \\repeat',
    ),
  ),
  exhaust('an auxiliary line of braces alone', wrap(bracesLine)),
  exhaust(
    'one huge file',
    wrap(
      `\\newwrite\\w\\immediate\\openout\\w=big.txt ${longLine}\\loop\\immediate\\write\\w{\\x}\\iftrue\\repeat`,
    ),
  ),
  exhaust(
    'many large files',
    wrap(
      `\\newwrite\\w${count}\\newcount\\k ${longLine}\\loop\\immediate\\openout\\w=f\\the\\n.txt {\\k=0 \\loop\\immediate\\write\\w{\\x}\\advance\\k1 \\ifnum\\k<4000 \\repeat}\\advance\\n1 \\iftrue\\repeat`,
    ),
  ),
  exhaust(
    'eighty thousand tiny files',
    wrap(
      `\\newwrite\\w${times('\\immediate\\openout\\w=f\\the\\n.txt \\immediate\\write\\w{x}\\immediate\\closeout\\w', 80_000)}`,
    ),
  ),
  exhaust(
    'a flood of files in the preamble',
    wrap(
      'x',
      `\\newwrite\\w${times('\\immediate\\openout\\w=f\\the\\n.txt \\immediate\\closeout\\w', 80_000)}\n`,
    ),
  ),
  exhaust('a flood of the log', wrap(`${longLine}\\loop\\wlog{\\x}\\iftrue\\repeat`)),
  exhaust('a flood of the terminal', wrap(`${longLine}\\loop\\immediate\\write16{\\x}\\iftrue\\repeat`)),
  exhaust(
    'a log of nothing but parentheses',
    wrap(
      `${longLine.replaceAll('xxxxxxxxxx', '((((((((((')}${times('\\wlog{\\x}', 150)}${count.replace('\\n ', '\\m ')}\\loop\\wlog{a}\\advance\\m1 \\ifnum\\m<500000 \\repeat`,
    ),
  ),
  exhaust(
    'a log of half-made errors',
    wrap(
      `\\def\\x{xxxxxxxx.x}\\edef\\x{\\x\\x\\x\\x\\x\\x\\x\\x\\x\\x}\\edef\\x{\\x\\x\\x\\x\\x\\x\\x\\x\\x\\x}\\edef\\x{\\x\\x\\x\\x\\x\\x\\x\\x\\x}${times('\\wlog{\\x}\\wlog{! \\x}\\wlog{Overfull \\string\\hbox (\\x}\\wlog{LaTeX \\x}', 100)}`,
    ),
  ),
  exhaust('two hundred thousand errors', wrap(times('\\undefined\\errmessage{e\\the\\n}', 200_000))),
  exhaust('a million places for SyncTeX', wrap(times('\\hbox{\\hbox{\\hbox{x}}}\\par', 300_000))),
  exhaust('one paragraph without an end', wrap(`${longLine}\\loop\\x\\space\\iftrue\\repeat`)),
  exhaust('a million cells of tables', wrap(times('\\begin{tabular}{cc}x&x\\\\x&x\\end{tabular}', 250_000))),
  exhaust(
    'a million names looked for',
    wrap(times('\\IfFileExists{look\\the\\n.tex}{}{}\\openin15=look\\the\\n\\space', 1_000_000)),
  ),
  exhaust(
    'a million points of TikZ',
    wrap(
      '\\begin{tikzpicture}\\foreach \\x in {1,...,16000}{\\foreach \\y in {1,...,100}{\\fill (\\x pt,\\y pt) circle(1pt);}}\\end{tikzpicture}',
      '\\usepackage{tikz}\n',
    ),
  ),
  exhaust(
    'a million specials for the driver',
    wrap(
      times(
        '\\special{pdf:obj @x\\the\\n\\space << /A [ 1 2 3 ] >>}\\special{pdf:dest (d\\the\\n) [ @thispage /Fit ]}',
        1_000_000,
      ),
    ),
  ),
  exhaust(
    'an outline a hundred thousand deep',
    wrap(times('\\special{pdf:outline \\the\\n\\space << /Title (x) /Dest [ @thispage /Fit ] >>}', 100_000)),
  ),
  exhaust(
    'specials nested without end',
    wrap(
      `\\def\\x{[[[[[[[[[[}\\edef\\x{\\x\\x\\x\\x\\x\\x\\x\\x\\x\\x}\\edef\\x{\\x\\x\\x\\x\\x\\x\\x\\x\\x\\x}\\edef\\x{\\x\\x\\x\\x\\x\\x\\x\\x\\x\\x}\\special{pdf:obj @a \\x\\x\\x\\x\\x\\x\\x\\x\\x\\x}\\special{pdf:put @catalog \\x}`,
    ),
  ),
  exhaust(
    'transformations stacked without end',
    wrap(
      times(
        '\\special{pdf:bcontent}\\special{pdf:btrans}\\special{x:gsave}\\special{color push rgb 1 0 0}',
        500_000,
      ),
    ),
  ),
  exhaust('pdfTeX: an endless loop', pdftex + wrap(endless)),
  exhaust(
    'pdfTeX: a stream without end',
    `${pdftex}${wrap(`${longLine}\\loop\\pdfliteral{\\x}\\iftrue\\repeat`)}`,
  ),
  exhaust(
    'pdfTeX: a million objects',
    `${pdftex}${wrap(times('\\immediate\\pdfobj{<< /A 1 >>}', 3_000_000))}`,
  ),
  figure(
    'a picture that unpacks to gigabytes',
    'bomb.png',
    () => bombPng(30_000),
    '\\special{pdf:image width 10pt height 10pt (bomb.png)}x',
  ),
  figure(
    'the same picture ten thousand times',
    'big.png',
    () => bombPng(3_000),
    times(
      '\\special{pdf:image width 1pt height 1pt (big.png)}\\special{pdf:image @i\\the\\n\\space (big.png)}',
      10_000,
    ),
  ),
  figure('a PDF whose page unpacks to a gigabyte', 'bomb.pdf', bombPdf),
  figure(
    'a PDF whose page tree is its own child',
    'loop.pdf',
    loopPdf,
    '\\special{pdf:epdf (loop.pdf)}\\special{pdf:image (loop.pdf)}x',
  ),
  figure(
    'a PDF nested a hundred thousand deep',
    'deep.pdf',
    () => deepPdf(100_000),
    '\\special{pdf:epdf (deep.pdf)}\\special{pdf:image (deep.pdf)}x',
  ),
  figure('a ZIP archive under the name of a picture', 'bomb.png', bombZip),
  figure('a JPEG of four gigapixels', 'huge.jpg', hugeJpeg),
  {
    kind: 'exhaust',
    what: 'six hundred figures',
    steps: () => [
      {
        owner: 'attacker',
        latex: wrap('x'),
        assets: Array.from({ length: 600 }, (_, index) => ({
          name: `f${index}.png`,
          bytes: Buffer.alloc(1_000),
        })),
        cpuMs: shortCpuMs,
      },
    ],
  },
  many(
    'one owner with forty documents at once',
    () => 'attacker',
    40,
    (_, index) => wrap(`${endless}% ${index}`),
  ),
  many(
    'forty owners at once',
    (index) => `attacker ${index}`,
    40,
    (_, index) => wrap(`\\newcount\\c \\loop\\advance\\c1 \\ifnum\\c<3000000 \\repeat ${index}`),
  ),
  many(
    'one owner with many long documents, to fill the memory of warm engines',
    () => 'attacker',
    8,
    (_, index) =>
      wrap(
        `\\def\\w{${index} }${times('\\w x\\newpage', 150)}`,
        `% ${index}\n\\newcount\\big \\loop\\expandafter\\gdef\\csname b\\the\\big\\endcsname{xxxxxxxxxxxxxxxx}\\advance\\big1 \\ifnum\\big<200000 \\repeat\n`,
      ),
  ),
  {
    kind: 'exhaust',
    what: 'forty jobs that are cancelled as soon as they have started',
    steps: () =>
      Array.from({ length: 40 }, (_, index) => ({
        owner: `attacker ${index % 5}` as const,
        latex: wrap(`${endless}% ${index}`),
        cancelAfterMs: 10 + ((index * 37) % 300),
        isTogether: index % 4 > 0,
      })),
  },
  {
    kind: 'exhaust',
    what: 'edits of an endless document, each cancelled by the next',
    steps: () =>
      Array.from({ length: 20 }, (_, index) => ({
        owner: 'attacker' as const,
        latex: wrap(`first page\\newpage edit ${index}\\newpage ${endless}`),
        cancelAfterMs: 300,
      })),
  },
  preview('a copy made for a preview that never ends', endless),
  preview(
    'a copy made for a preview that floods the disk',
    `${longLine}\\newcount\\f \\newcount\\g \\loop\\immediate\\openout15=p\\the\\f.txt {\\g=0 \\loop\\immediate\\write15{\\x}\\advance\\g1 \\ifnum\\g<4000 \\repeat}\\advance\\f1 \\iftrue\\repeat`,
  ),
  {
    kind: 'exhaust',
    what: 'large files left for the next pass, by many owners',
    steps: () =>
      Array.from({ length: 6 }, (_, index) => ({
        owner: `attacker ${index}` as const,
        latex: wrap(
          `${longLine}\\newwrite\\w${times('\\immediate\\openout\\w=f\\the\\n.txt {\\count1=0 \\loop\\immediate\\write\\w{\\x}\\advance\\count1 1 \\ifnum\\count1<700 \\repeat}', 20)}`,
        ),
        cpuMs: shortCpuMs * 2,
        isTogether: index > 0,
      })),
  },
  {
    kind: 'exhaust',
    what: 'memory that grows between the copies of a warm engine',
    steps: () => [
      {
        owner: 'attacker',
        latex: wrap(
          Array.from(
            { length: 60 },
            (_, index) =>
              `\\newcount\\m \\loop\\expandafter\\gdef\\csname z${index}.\\the\\m\\endcsname{xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx}\\advance\\m1 \\ifnum\\m<8000 \\repeat x\\newpage`,
          )
            .join('\n')
            .replaceAll('\\newcount\\m', (found, at: number) => (at === 0 ? found : '\\m=0')),
        ),
        cpuMs: shortCpuMs * 2,
      },
    ],
  },
];
