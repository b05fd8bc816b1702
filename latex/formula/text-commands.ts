/** Commands of running text: letters, accents, spaces, and what begins a new line. */

import { structuralCommands } from '../source/commands.ts';

const words = (list: string) => list.trim().split(/\s+/);

const letters: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ss: 'ß',
    SS: 'ẞ',
    o: 'ø',
    O: 'Ø',
    l: 'ł',
    L: 'Ł',
    ae: 'æ',
    AE: 'Æ',
    oe: 'œ',
    OE: 'Œ',
    aa: 'å',
    AA: 'Å',
    i: 'ı',
    j: 'ȷ',
    dh: 'ð',
    DH: 'Ð',
    th: 'þ',
    TH: 'Þ',
    dj: 'đ',
    DJ: 'Đ',
    ng: 'ŋ',
    LaTeX: 'LaTeX',
    TeX: 'TeX',
    XeLaTeX: 'XeLaTeX',
    textendash: '–',
    textemdash: '—',
    ldots: '…',
    dots: '…',
    textbackslash: '\\',
    textasciitilde: '~',
    textasciicircum: '^',
    textbar: '|',
    textless: '<',
    textgreater: '>',
    textdegree: '°',
    texteuro: '€',
    euro: '€',
    pounds: '£',
    S: '§',
    copyright: '©',
    '&': '&',
    '%': '%',
    $: '$',
    '#': '#',
    _: '_',
    '{': '{',
    '}': '}',
  }),
);

const accents: ReadonlyMap<string, string> = new Map(
  Object.entries({
    "'": '\u0301',
    '`': '\u0300',
    '^': '\u0302',
    '"': '\u0308',
    '~': '\u0303',
    '=': '\u0304',
    '.': '\u0307',
    u: '\u0306',
    v: '\u030c',
    H: '\u030b',
    c: '\u0327',
    k: '\u0328',
    d: '\u0323',
    b: '\u0331',
    r: '\u030a',
  }),
);

/** The letters a command prints, or null. */
export const letterOf = (name: string): string | null => letters.get(name) ?? null;

/** The combining mark that an accent command sets on the next letter, or null. */
export const accentOf = (name: string): string | null => accents.get(name) ?? null;

export const lineBreaks: ReadonlySet<string> = new Set([
  ...structuralCommands,
  ...words('newline footnote hline toprule midrule bottomrule intertext author date frametitle'),
]);

export const spaces = new Set([
  ...words('\\ , ; : quad qquad hspace hfill thinspace enspace linebreak'),
  ' ',
  '\n',
  '\t',
]);
