/**
 * An owner who looks for what the previous owner left: in the engine's memory, in folders, in caches. The
 * neighbour works first, with a secret in its text, its files and its auxiliary files; then the attacker sends
 * the same preamble (so that an engine chosen by its preamble alone would serve both) and looks.
 */
import { png } from '../hostile-files.ts';
import type { Attack, Place, Step } from './attack.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

/** The neighbour compiles twice, the second time after an edit, so that a warm engine has also been resumed. */
function workOfNeighbour(latex: (edit: string) => string, assets: Step['assets'] = []): Step[] {
  return ['first', 'second'].map((edit) => ({ owner: 'neighbour', latex: latex(edit), assets }) as const);
}

const attack = (what: string, steps: (place: Place) => Step[]): Attack => ({ kind: 'read', what, steps });
const attacker = (latex: string, assets: Step['assets'] = []): Step => ({ owner: 'attacker', latex, assets });

const plain = '\\documentclass{article}\n\\usepackage{graphicx}\n';
const withFile = `${plain}\\newread\\notes\\openin\\notes=notes.txt \\ifeof\\notes\\def\\secret{none}\\else\\read\\notes to\\secret\\fi\n`;

export const neighbourReadingAttacks: readonly Attack[] = [
  attack('macros of the owner before', ({ secret }) => [
    ...workOfNeighbour(
      (edit) => `${plain}\\begin{document}\n\\gdef\\secret{${secret}}\\secret\n\n${edit}\n\\end{document}\n`,
    ),
    attacker(
      `${plain}\\begin{document}\n\\ifdefined\\secret\\secret\\errmessage{\\secret}\\else nothing\\fi\n\\end{document}\n`,
    ),
  ]),
  attack('a preamble that read a file of the owner before', ({ secret }) => [
    ...workOfNeighbour(
      (edit) => `${withFile}\\begin{document}\n\\secret\n\n${edit}\n\\end{document}\n`,
      [{ name: 'notes.txt', bytes: bytes(`${secret}\n`) }],
    ),
    attacker(`${withFile}\\begin{document}\n\\secret\n\\end{document}\n`),
    attacker(`${withFile}\\begin{document}\n\\secret\n\\end{document}\n`, [
      { name: 'notes.txt', bytes: bytes('mine\n') },
    ]),
  ]),
  attack('figures of the owner before', ({ secret }) => [
    ...workOfNeighbour(
      (edit) => `${plain}\\begin{document}\n\\includegraphics{figure.png}\n\n${edit}\n\\end{document}\n`,
      [{ name: 'figure.png', bytes: png(secret.repeat(8)) }],
    ),
    attacker(`${plain}\\begin{document}\n\\includegraphics{figure.png}\n\\end{document}\n`),
  ]),
  attack('auxiliary files of the owner before', ({ secret }) => [
    ...workOfNeighbour(
      (edit) =>
        `${plain}\\begin{document}\n\\tableofcontents\n\\section{${secret}}\\label{one}\n${edit} \\ref{one}\n\\end{document}\n`,
    ),
    attacker(
      `${plain}\\begin{document}\n\\tableofcontents \\input{main.aux}\\input{main.toc}\\InputIfFileExists{main.log}{}{}\\ref{one}\n\\end{document}\n`,
    ),
  ]),
  attack('files the owner before wrote', ({ secret }) => [
    ...workOfNeighbour(
      (edit) =>
        `${plain}\\begin{document}\n\\newwrite\\w\\immediate\\openout\\w=kept.tex \\immediate\\write\\w{${secret}}\\immediate\\closeout\\w \\input{kept}\n\n${edit}\n\\end{document}\n`,
    ),
    attacker(
      `${plain}\\begin{document}\n\\InputIfFileExists{kept}{}{}\\InputIfFileExists{/tmp/kept}{}{}\\InputIfFileExists{/work/kept}{}{}\\InputIfFileExists{../kept}{}{}\n\\end{document}\n`,
    ),
  ]),
  attack('an answer kept for the owner before', ({ secret }) => {
    const latex = `${plain}\\begin{document}\n\\input{notes.txt}\n\\end{document}\n`;
    return [
      ...workOfNeighbour(() => latex, [{ name: 'notes.txt', bytes: bytes(`${secret}\n`) }]),
      attacker(latex),
      attacker(latex, [{ name: 'notes.txt', bytes: bytes('mine\n') }]),
      attacker(latex, [{ name: 'notes.txt.', bytes: bytes(`${secret.slice(0, 4)}\n`) }]),
    ];
  }),
  attack('what a cancelled job of another left', ({ secret }) => [
    {
      owner: 'neighbour',
      latex: `${plain}\\begin{document}\n\\newwrite\\w\\immediate\\openout\\w=kept.tex \\immediate\\write\\w{${secret}}\\immediate\\closeout\\w ${secret} \\loop\\iftrue\\repeat\n\\end{document}\n`,
      cancelAfterMs: 1_500,
    },
    attacker(
      `${plain}\\begin{document}\n\\InputIfFileExists{kept}{}{nothing}\\InputIfFileExists{main.aux}{}{}\n\\end{document}\n`,
    ),
  ]),
  attack('what a job of another that ran out of time left', ({ secret }) => [
    {
      owner: 'neighbour',
      latex: `${plain}\\begin{document}\n\\gdef\\secret{${secret}}${secret}\\newpage x\\newpage \\loop\\iftrue\\repeat\n\\end{document}\n`,
      cpuMs: 1_500,
    },
    attacker(`${plain}\\begin{document}\n\\ifdefined\\secret\\secret\\else nothing\\fi\n\\end{document}\n`),
  ]),
  attack('the page counter, the date and the random seed of the owner before', ({ secret }) => [
    ...workOfNeighbour(
      (edit) =>
        `${plain}\\begin{document}\n\\setcounter{page}{777}\\gdef\\today{${secret}}\\today\\clearpage ${edit}\n\\end{document}\n`,
    ),
    {
      ...attacker(`${plain}\\begin{document}\nnumber:\\thepage: \\today\n\\end{document}\n`),
      shows: 'number:1:',
    },
  ]),
  attack('the same document by both, one after another', ({ secret }) => {
    const latex = (text: string) => `${plain}\\begin{document}\n${text}\n\\end{document}\n`;
    return [
      ...workOfNeighbour((edit) => latex(`shared beginning\n\n${secret} ${edit}`)),
      { ...attacker(latex('shared beginning\n\nown end')), shows: 'own end' },
      { owner: 'neighbour', latex: latex(`shared beginning\n\n${secret} third`), shows: 'third' },
      { ...attacker(latex('shared beginning\n\nown second end')), shows: 'own second end' },
    ];
  }),
  attack('both at the same moment, again and again', ({ secret }) =>
    Array.from({ length: 6 }, (_, round) => [
      {
        owner: 'neighbour',
        latex: `${plain}\\begin{document}\n${secret} ${round}\n\\end{document}\n`,
        shows: secret,
      } as const,
      {
        owner: 'attacker',
        latex: `${plain}\\begin{document}\nmine${round}\n\\end{document}\n`,
        shows: `mine${round}`,
        isTogether: true,
      } as const,
    ]).flat(),
  ),
];
