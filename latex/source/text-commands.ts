/** What commands without arguments print in text, and accents: one table for all readers. */

/** Each line: names with what they print. */
const signs = String.raw`
& & % % $ $ # # _ _ { { } }
ss ß SS ẞ ae æ AE Æ oe œ OE Œ aa å AA Å o ø O Ø l ł L Ł i ı j ȷ dh ð DH Ð th þ TH Þ dj đ DJ Đ ng ŋ NG Ŋ
dots … ldots … textellipsis … textendash – textemdash — textbullet • dotfill …………… hrulefill ________
LaTeX LaTeX LaTeXe LaTeX2ε TeX TeX XeLaTeX XeLaTeX LuaLaTeX LuaLaTeX BibTeX BibTeX
textbackslash \ textasciitilde ~ textasciicircum ^ textbar | textless < textgreater > textunderscore _
textquotedblleft “ textquotedblright ” textquoteleft ‘ textquoteright ’ glqq „ grqq “ guillemotleft « guillemotright »
textdegree ° degree ° celsius °C texteuro € euro € pounds £ textregistered ® texttrademark ™ copyright ©
textcopyright © S § P ¶ dag † ddag ‡ checkmark ✓
`;

const spaces = {
  ' ': ' ',
  '\n': ' ',
  '\t': ' ',
  ',': '\u2009',
  ';': '\u2005',
  ':': '\u2005',
  '!': '',
  '/': '',
  '@': '',
  '-': '\u00ad',
  og: '«\u00a0',
  fg: '\u00a0»',
  quad: '\u2003',
  qquad: '\u2003\u2003',
  enspace: '\u2002',
  thinspace: '\u2009',
  nobreakspace: '\u00a0',
  hfill: '\u2003',
};

const printed: ReadonlyMap<string, string> = new Map([
  ...signs
    .trim()
    .split('\n')
    .flatMap((line) => [...line.matchAll(/(\S+) (\S+)/g)].map(([, name, sign]) => [name!, sign!] as const)),
  ...Object.entries(spaces),
]);

/** What a command prints, or null. */
export const printedText = (name: string): string | null => printed.get(name) ?? null;

const accents: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '`': '\u0300',
    "'": '\u0301',
    '^': '\u0302',
    '~': '\u0303',
    '=': '\u0304',
    u: '\u0306',
    '.': '\u0307',
    '"': '\u0308',
    r: '\u030a',
    H: '\u030b',
    v: '\u030c',
    d: '\u0323',
    c: '\u0327',
    k: '\u0328',
    b: '\u0331',
  }),
);

/** The combining mark that an accent command sets on the next letter, or null. */
export const accentOf = (name: string): string | null => accents.get(name) ?? null;
