/**
 * Documents that try to run programs, to write outside their job, or to take over their engine for the next
 * owner.
 */
import { type Attack, byDocument, type Place, pdftex, type Step, wrap } from './attack.ts';

const run = (what: string, latex: string, rest: Partial<Step> = {}) => byDocument('run', what, latex, rest);
const command = 'cp @/canary.txt @drop/ran; cp @/canary.txt leaked.tex';
const showLeaked = '\\IfFileExists{leaked.tex}{\\input{leaked}}{}';
const file = (name: string, text: string) => ({ name, bytes: Buffer.from(text) });

const writeTo = (places: string[]) =>
  wrap(
    `\\newwrite\\w ${places.map((place) => `\\immediate\\openout\\w=${place} \\immediate\\write\\w{x}\\immediate\\closeout\\w`).join('\n')}`,
  );

const plain = '\\documentclass{article}\n\\usepackage{graphicx}\n';
const harmless = (edit: string) => `${plain}\\begin{document}\nwholesome ${edit}\n\\end{document}\n`;
/**
 * The attacker works, twice, then the neighbour with the same preamble, twice: it must get its own text and no
 * mark.
 */
const tamper = (what: string, latex: (place: Place) => string): Attack => ({
  kind: 'run',
  what,
  steps: (place) => [
    { owner: 'attacker', latex: latex(place) },
    { owner: 'attacker', latex: latex(place).replace('\\end{document}', '\n% edited\n\\end{document}') },
    { owner: 'neighbour', latex: harmless('one'), shows: 'wholesome one' },
    { owner: 'neighbour', latex: harmless('two'), shows: 'wholesome two' },
  ],
});
const body = (text: string) => `${plain}\\begin{document}\n${text}\n\\end{document}\n`;

export const runningAttacks: readonly Attack[] = [
  run('\\write18', wrap(`\\immediate\\write18{${command}}${showLeaked}`)),
  run('input from a pipe', wrap('\\input|"cat @/canary.txt"')),
  run(
    'output to a pipe',
    wrap(
      `\\newwrite\\w\\immediate\\openout\\w="|${command}" \\immediate\\write\\w{x}\\immediate\\closeout\\w ${showLeaked}`,
    ),
  ),
  run(
    '\\ShellEscape of a package',
    wrap(`\\ShellEscape{${command}}${showLeaked}`, '\\usepackage{shellesc}\n'),
  ),
  run(
    'an index made by a program',
    wrap(
      'x\\index{x}\\printindex',
      '\\usepackage{imakeidx}\\makeindex[program=truexindy,options=-M @/canary.txt]\n',
    ),
  ),
  run('an eps converted by a program', wrap('\\includegraphics{a.eps}', '\\usepackage{epstopdf}\n'), {
    assets: [file('a.eps', '%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(/etc/passwd)(r) file\n')],
  }),
  run(
    'TikZ externalization',
    wrap(
      '\\begin{tikzpicture}\\draw(0,0)--(1,1);\\end{tikzpicture}',
      `\\usepackage{tikz}\\usetikzlibrary{external}\\tikzset{external/system call={${command}}}\\tikzexternalize\n`,
    ),
  ),
  run(
    'a plot computed by a shell',
    wrap(
      '\\begin{tikzpicture}\\begin{axis}\\addplot shell {cat @/canary.txt};\\addplot gnuplot {system("cat @/canary.txt")};\\end{axis}\\end{tikzpicture}',
      '\\usepackage{pgfplots}\n',
    ),
  ),
  run('minted', wrap('\\begin{minted}{python}\nx\n\\end{minted}', '\\usepackage{minted}\n')),
  run(
    'a driver configuration that names a command',
    wrap(
      `\\begin{filecontents*}[overwrite]{dvipdfmx.cfg}\nD "${command}; cat @/canary.txt > %o"\n\\end{filecontents*}\n\\begin{filecontents*}{a.eps}\n%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n\\end{filecontents*}\n\\special{dvipdfmx:config D "cat @/canary.txt"}\\includegraphics{a.eps}`,
    ),
  ),
  run(
    'settings of TeX in the job folder',
    wrap(
      `\\begin{filecontents*}[overwrite]{texmf.cnf}\nshell_escape=t\nopenin_any=a\nopenout_any=a\n\\end{filecontents*}\n\\label{x}\\ref{x}\\immediate\\write18{${command}}\\input{@/canary.txt}${showLeaked}`,
    ),
  ),
  run('a latexmkrc in the job folder', wrap(showLeaked), {
    assets: [file('latexmkrc', "system('touch leaked.tex');\n")],
  }),
  run(
    'names of fonts that a shell would read',
    wrap(
      '\\font\\x="x;touch leaked.tex;`touch leaked.tex`" \\font\\y=$(touch\\space leaked.tex) \\font\\z=nosuch300`touch\\space leaked` \\x\\y\\z hello',
    ),
  ),
  run(
    'a font map that is a pipe',
    wrap(
      '\\special{pdf:mapfile |cat @/canary.txt}\\special{pdf:mapline cmr10 default |cat}\\font\\x=cmr10 \\x x',
    ),
  ),
  run(
    'PostScript with file operators',
    wrap(
      '\\special{ps: (@/canary.txt) (r) file 100 string readstring pop show}\\special{pst: (%pipe%touch leaked.tex)(w) file}',
    ),
  ),
  run('Lua: os.execute', `% !TEX program = lualatex\n${wrap(`\\directlua{os.execute("${command}")}`)}`),
  run('pdfTeX: \\write18', `${pdftex}${wrap(`\\immediate\\write18{${command}}${showLeaked}`)}`),
  run('pdfTeX: input from a pipe', `${pdftex}${wrap('\\input|"cat @/canary.txt"')}`),
  run(
    'files written by absolute and parent paths',
    writeTo([
      '@drop/written',
      '../written',
      '../../written',
      '../../../drop/written',
      '.written',
      '/tmp/inkproof-written',
      '/dev/shm/inkproof-written',
      '@/canary.txt',
    ]),
  ),
  run(
    'the protocol’s pipes written through /dev/fd',
    writeTo(Array.from({ length: 12 }, (_, index) => `/dev/fd/${index + 3}`)),
  ),
  run(
    'pdfTeX: files written outside',
    pdftex + writeTo(['@drop/written', '../written', '/tmp/inkproof-written']),
  ),
  tamper('macros and hooks left for the owner after', ({ mark }) =>
    body(
      `\\makeatletter\\global\\everypar{${mark}}\\gdef\\@oddfoot{${mark}}\\gdef\\@evenfoot{${mark}}\\AddToHook{enddocument}{${mark}}\\global\\everyjob{${mark}}\\makeatother x`,
    ),
  ),
  tamper('packages and classes left for the owner after', ({ mark }) =>
    body(
      ['article.cls', 'graphicx.sty', 'size10.clo', 'main.aux', 'main.toc', 'main.tex', 'graphics.cfg']
        .map(
          (name) =>
            `\\newwrite\\w\\immediate\\openout\\w=${name} \\immediate\\write\\w{\\string\\AtBeginDocument{${mark}}}\\immediate\\closeout\\w`,
        )
        .join('\n')
        .replaceAll('\\newwrite\\w', (found, at: number) => (at === 0 ? found : '')),
    ),
  ),
  tamper('an end of file, an endless read and an error stop left behind', ({ mark }) =>
    body(`${mark}\\errorstopmode\\newread\\r\\read16 to\\x \\read-1 to\\y \\x\\y\\endinput`),
  ),
  tamper('a job name and files named like the protocol’s own', ({ mark }) =>
    body(
      `\\newwrite\\w ${[
        'main.xdv',
        'main.pdf',
        'main.synctex.gz',
        'main.log',
        'commands',
        'answers',
        'snapshot',
        'warm.so',
        'ready',
        'stdin',
      ]
        .map(
          (name) => `\\immediate\\openout\\w=${name} \\immediate\\write\\w{${mark}}\\immediate\\closeout\\w`,
        )
        .join('')}\\shipout\\vbox{x}`,
    ),
  ),
  tamper('a font of one’s own under a known name', ({ mark }) =>
    body(
      `\\special{pdf:mapline cmr10 default nosuch}\\special{pdf:mapline lmroman10-regular default cmtt10}\\font\\x=cmr10 \\x ${mark}`,
    ),
  ),
  {
    kind: 'run',
    what: 'figures named like the protocol’s files',
    steps: ({ mark }) =>
      [
        'texmf.cnf',
        'fonts.conf',
        'xelatex',
        'xdvipdfmx',
        'warm.so',
        'article.cls',
        'libkpathsea.so.6',
        'pdftexconfig.tex',
        'commands',
      ].map((name) => ({
        owner: 'attacker' as const,
        latex: harmless(mark),
        assets: [{ name, bytes: Buffer.from(`#!/bin/sh\ntouch leaked.tex\n`) }],
      })),
  },
  {
    kind: 'run',
    what: 'a file written under the name of a figure that comes later',
    steps: () => {
      const latex = (edit: string) =>
        body(
          `\\newwrite\\w\\IfFileExists{late.txt}{}{\\immediate\\openout\\w=late.txt \\immediate\\write\\w{x}\\immediate\\closeout\\w}${edit}`,
        );
      const late = [file('late.txt', 'figure')];
      return [
        { owner: 'attacker', latex: latex('one') },
        { owner: 'attacker', latex: latex('two'), assets: late, shows: 'two' },
        { owner: 'attacker', latex: latex('three'), shows: 'three' },
      ];
    },
  },
];
