/** Documents that try to read files that are not theirs. */
import { type Attack, byDocument, pdftex, wrap } from './attack.ts';

const read = (what: string, latex: string) => byDocument('read', what, latex);

/** Shows files line by line on the page, if they open. */
const showAll = (files: string[]) =>
  wrap(
    [
      '\\newread\\r\\catcode0=12 \\catcode`_=12 \\catcode`\\#=12 ',
      '\\def\\readall{\\ifeof\\r\\let\\next\\relax\\else\\readline\\r to\\x \\x\\par\\let\\next\\readall\\fi\\next}',
      ...files.map((file) => `\\openin\\r=${file} \\readall\\closein\\r`),
    ].join('\n'),
  );

export const readingAttacks: readonly Attack[] = [
  read('\\input of an absolute path', wrap('\\input{@/canary.txt}')),
  read('\\input of a parent path', wrap('\\input{../../../canary.txt}\\input{../../canary}')),
  read('\\input of /etc/passwd', wrap('\\catcode`_=12 \\input{/etc/passwd}')),
  read('\\openin and \\read', showAll(['@/canary.txt'])),
  read('\\@@input primitive with quotes', wrap('\\makeatletter\\@@input "@/canary.txt" \\makeatother')),
  read('verbatim input', wrap('\\verbatiminput{@/canary.txt}', '\\usepackage{verbatim}\n')),
  read('listing input', wrap('\\lstinputlisting{@/canary.txt}', '\\usepackage{listings}\n')),
  read(
    'table read from a foreign file',
    wrap('\\pgfplotstabletypeset{@/canary.txt}', '\\usepackage{pgfplotstable}\n'),
  ),
  read('a class of a foreign path', '\\documentclass{@/canary}\n\\begin{document}x\\end{document}\n'),
  read('a package of a foreign path', wrap('', '\\usepackage{@/canary}\\RequirePackage{@/canary}\n')),
  read('\\includegraphics of a foreign picture', wrap('\\includegraphics{@/canary.png}')),
  read('\\includegraphics of a foreign PDF', wrap('\\includegraphics{@/canary.pdf}')),
  read('\\graphicspath to a foreign folder', wrap('\\graphicspath{{@/}}\\includegraphics{canary.png}')),
  read(
    '\\input@path to a foreign folder',
    wrap('\\makeatletter\\def\\input@path{{@/}}\\makeatother\\input{canary.txt}'),
  ),
  read('pdfpages of a foreign PDF', wrap('\\includepdf{@/canary.pdf}', '\\usepackage{pdfpages}\n')),
  read('\\XeTeXpicfile', wrap('\\XeTeXpicfile "@/canary.png"')),
  read('\\XeTeXpdffile', wrap('\\XeTeXpdffile "@/canary.pdf" page 1')),
  read(
    'pdf:fstream',
    wrap('\\special{pdf:fstream @own (@/canary.txt)}\\special{pdf:put @catalog << /Own @own >>}'),
  ),
  read('pdf:image', wrap('\\special{pdf:image (@/canary.png)}')),
  read('pdf:epdf', wrap('\\special{pdf:epdf (@/canary.pdf)}')),
  read('psfile special', wrap('\\special{psfile=@/canary.ps}\\special{ps: plotfile @/canary.ps}')),
  read(
    'pdfTeX: a foreign file attached',
    pdftex + wrap('\\attachfile{@/canary.txt}', '\\usepackage{attachfile}\n'),
  ),
  read('font by path', wrap('\\font\\x="[@/canary.otf]"\\x hello')),
  read(
    'fontspec with a foreign folder',
    wrap('x', '\\usepackage{fontspec}\\setmainfont{canary.otf}[Path=@/]\n'),
  ),
  read(
    'font map line by path',
    wrap('\\special{pdf:mapline cmr10 default @/canary.txt}\\font\\x=cmr10 \\x hello'),
  ),
  read('font map file by path', wrap('\\special{pdf:mapfile @/canary.cfg}\\font\\x=cmr10 \\x hello')),
  read(
    'an encoding or a character map by path',
    wrap(
      '\\special{pdf:mapline cmr10 @/canary.txt cmr10.pfb}\\special{pdf:tounicode @/canary.txt}\\font\\x=cmr10 \\x hello',
    ),
  ),
  read('a format named in the first line', `%&@/canary\n${wrap('')}`),
  read(
    'the environment of the server',
    showAll([
      '/proc/self/environ',
      '/proc/1/environ',
      '/proc/self/cmdline',
      '/proc/self/maps',
      '/proc/self/mountinfo',
    ]),
  ),
  read(
    'what the machine tells of itself',
    showAll([
      '/etc/hostname',
      '/etc/hosts',
      '/etc/resolv.conf',
      '/proc/version',
      '/proc/net/tcp',
      '/proc/net/unix',
      '/proc/mounts',
      '/sys/class/net/lo/address',
      '/var/log/dpkg.log',
      '/root/.bashrc',
    ]),
  ),
  read(
    'descriptors that were left open',
    showAll(Array.from({ length: 40 }, (_, index) => `/dev/fd/${index + 3}`)),
  ),
  read(
    'descriptors through /proc',
    showAll(Array.from({ length: 40 }, (_, index) => `/proc/self/fd/${index + 3}`)),
  ),
  read(
    'folders of other jobs, by guessed names',
    wrap(
      `\\newread\\r\\newcount\\n\\loop\\openin\\r=../job-\\the\\n/main.tex \\ifeof\\r\\else\\read\\r to\\x\\x\\fi\\closein\\r \\openin\\r=../run-\\the\\n/main.tex \\ifeof\\r\\else\\read\\r to\\x\\x\\fi\\closein\\r\\advance\\n1 \\ifnum\\n<300 \\repeat`,
    ),
  ),
  read(
    'pdfTeX: stream from a file',
    pdftex + wrap('\\immediate\\pdfobj stream file {@/canary.txt}\\pdfrefobj\\pdflastobj'),
  ),
  read(
    'pdfTeX: \\pdffiledump',
    pdftex + wrap('\\pdffiledump offset 0 length 40 {@/canary.txt}\\pdfmdfivesum file {@/canary.txt}'),
  ),
  read('pdfTeX: \\pdfximage', pdftex + wrap('\\pdfximage {@/canary.pdf}\\pdfrefximage\\pdflastximage')),
  read('pdfTeX: \\input of an absolute path', pdftex + wrap('\\input{@/canary.txt}')),
  read(
    'pdfTeX: font map by path',
    pdftex + wrap('\\pdfmapline{=cmr10 CMR10 <@/canary.txt}\\font\\x=cmr10 \\x hello'),
  ),
  read(
    'Lua: io.open',
    `% !TEX program = lualatex\n${wrap('\\directlua{tex.print(io.open("@/canary.txt"):read("a"))}')}`,
  ),
];
