/** Displayed formulas and prose words of a LaTeX source: the same reading for a truth and for what was recovered. */

const environments = [
  'equation',
  'align',
  'gather',
  'multline',
  'flalign',
  'alignat',
  'eqnarray',
  'displaymath',
];

export interface Display {
  /** `\[…\]` or the environment with a star, numbers and labels taken off. */
  latex: string;
}

/** Displays in order of the source. */
export function findDisplays(source: string): Display[] {
  const body = stripComments(bodyOf(source));
  const names = environments.join('|');
  const pattern = new RegExp(
    `(?<!\\\\)\\\\\\[([\\s\\S]*?)\\\\\\]|\\\\begin\\{(${names})(\\*?)\\}([\\s\\S]*?)\\\\end\\{\\2\\3\\}|^\\s*\\$\\$([\\s\\S]*?)\\$\\$`,
    'gm',
  );
  const displays: Display[] = [];
  for (const match of body.matchAll(pattern)) {
    const inner = clean(match[1] ?? match[4] ?? match[5] ?? '');
    const name = match[2];
    const plain = name === undefined || name === 'equation' || name === 'displaymath';
    displays.push({ latex: plain ? `\\[${inner}\\]` : `\\begin{${name}*}${inner}\\end{${name}*}` });
  }
  return displays;
}

function clean(inner: string): string {
  return inner
    .replace(/\\(label|tag\*?)\{(?:[^{}]|\{[^{}]*\})*\}/g, '')
    .replace(/\\(notag|nonumber)\b/g, '')
    .replace(/\n\s*\n/g, '\n')
    .trim();
}

export function bodyOf(source: string): string {
  const from = source.indexOf('\\begin{document}');
  const to = source.lastIndexOf('\\end{document}');
  return source.slice(from >= 0 ? from + 16 : 0, to >= 0 ? to : undefined);
}

export function preambleOf(source: string): string {
  const at = source.indexOf('\\begin{document}');
  return at >= 0 ? source.slice(0, at) : '';
}

function stripComments(source: string): string {
  const kept: string[] = [];
  const hidden = source.replace(
    /\\begin\{(lstlisting|verbatim)\}(?:\[[^\]]*\])?([\s\S]*?)\\end\{\1\}/g,
    (_, __, code: string) => {
      kept.push(code);
      return `\uE100${kept.length - 1}\uE101`;
    },
  );
  return hidden
    .replace(/(^|[^\\])%[^\n]*\n?/g, '$1')
    .replace(/\uE100(\d+)\uE101/g, (_, i: string) => (kept[Number(i)] ?? '').replace(/[\\{}$%]/g, ' '));
}

/** Commands whose argument is no text of the page. */
const silent =
  /\\(?:begin|end|label|ref|eqref|pageref|cite|vspace|hspace|setlength|includegraphics|usepackage|rule|color|bibliographystyle|bibliography|input|include|newcommand|renewcommand|multicolumn\{\d+\}|cmidrule|cline|pagestyle|thispagestyle|setcounter|lhead|rhead|cfoot|lstset|addcontentsline|def|hypersetup|tag)\*?(?:\([a-z]+\))?(?:\[[^\]]*\])?(?:\{[^{}]*\})(?:\[[^\]]*\])?/g;

const accents: Record<string, string> = {
  "'": '\u0301',
  '`': '\u0300',
  '^': '\u0302',
  '"': '\u0308',
  '~': '\u0303',
  c: '\u0327',
  v: '\u030c',
  '=': '\u0304',
};

/** Words of the prose in order, one string, single spaces: formulas, markup and punctuation taken out. */
export function proseOf(source: string): string {
  const preamble = preambleOf(source);
  const titles = ['title', 'author', 'date']
    .map((name) => argumentOf(preamble, name) ?? argumentOf(bodyOf(source), name) ?? '')
    .join(' ');
  let text = `${titles} ${stripComments(bodyOf(source))}`;
  text = text.replace(/\\(title|author|date)\s*\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}/g, ' ');
  text = text.replace(/\\begin\{tikzpicture\}[\s\S]*?\\end\{tikzpicture\}/g, ' ');
  const names = environments.join('|');
  text = text.replace(
    new RegExp(
      `(?<!\\\\)\\\\\\[[\\s\\S]*?\\\\\\]|\\\\begin\\{(${names})(\\*?)\\}[\\s\\S]*?\\\\end\\{\\1\\2\\}|^\\s*\\$\\$[\\s\\S]*?\\$\\$`,
      'gm',
    ),
    ' ',
  );
  text = text.replace(
    /\\(?:ce|SI|si|ang|qty|unit|num)\*?((?:\[[^\]]*\])?\{(?:[^{}]|\{[^{}]*\})*\}){1,2}/g,
    ' ',
  );
  text = text.replace(/(^|[^\\])\$(?:\\.|[^$\\])*\$/g, '$1 ').replace(/\\\((?:[\s\S]*?)\\\)/g, ' ');
  text = text.replace(/\\(['`^"~=]|[cv](?=\{))\{?\\?([a-zA-Z])\}?/g, (all, mark: string, letter: string) =>
    accents[mark] ? (letter + accents[mark]).normalize('NFC') : all,
  );
  text = text.replace(
    /\\begin\{(tabular|tabularx|array|longtable)\*?\}(?:\{[^{}]*\\textwidth\}|\{[^{}]*\\linewidth\})?(?:\[[^\]]*\])?\{(?:[^{}]|\{[^{}]*\})*\}/g,
    ' ',
  );
  text = text.replace(/\\begin\{(?:itemize|enumerate|description)\}\[(?:[^[\]]|\[[^\]]*\])*\]/g, ' ');
  text = text.replace(/\\\\\*?\[[^\]]*\]/g, ' ');
  text = algorithmWords(theoremWords(text, preamble)).replace(
    /\\rule(?:\[[^\]]*\])?\{[^{}]*\}\{[^{}]*\}/g,
    ' ',
  );
  text = text
    .replace(silent, ' ')
    .replace(/\\(LaTeX|TeX)\b(\{\})?/g, '$1')
    .replace(/\\[a-zA-Z]+\*?/g, ' ')
    .replace(/\\[,;:!\\ -]/g, ' ');
  return (
    text
      .replace(/[ﬀ-ﬆ]/g, (c) => c.normalize('NFKD'))
      .normalize('NFC')
      .toLowerCase()
      .match(/\p{L}{2,}/gu)
      ?.join(' ') ?? ''
  );
}

/** The words that theorem environments and proofs print at their head. */
function theoremWords(text: string, preamble: string): string {
  const names = new Map([['proof', 'Proof']]);
  for (const [, name = '', printed = ''] of preamble.matchAll(
    /\\newtheorem\*?\{([^{}]+)\}(?:\[[^\]]*\])?\{((?:[^{}]|\{[^{}]*\})+)\}/g,
  ))
    names.set(name, printed);
  return text.replace(
    /\\begin\{([^{}]+)\}(?:\[((?:[^[\]]|\{[^{}]*\})*)\])?/g,
    (all, name: string, note: string | undefined) => {
      const printed = names.get(name);
      if (printed === undefined) return all;
      return name === 'proof' && note !== undefined ? ` ${note} ` : ` ${printed} ${note ?? ''} `;
    },
  );
}

/** The words that algpseudocode prints for its commands. */
function algorithmWords(text: string): string {
  return text
    .replace(/\\begin\{algorithm\}/g, ' algorithm ')
    .replace(/\\(While|For|ForAll)\b(\{[^\n]*)/g, ' $1 $2 do ')
    .replace(/\\If\b(\{[^\n]*)/g, ' if $1 then ')
    .replace(/\\ElsIf\b(\{[^\n]*)/g, ' else if $1 then ')
    .replace(/\\End(While|For|If)\b/g, ' end $1 ')
    .replace(/\\(Require|Ensure|Else|Return)\b/g, ' $1 ');
}

function argumentOf(source: string, command: string): string | null {
  const at = source.indexOf(`\\${command}{`);
  if (at < 0) return null;
  let depth = 0;
  for (let i = at + command.length + 1; i < source.length; i++) {
    if (source[i] === '{') depth += 1;
    if (source[i] === '}') depth -= 1;
    if (depth === 0) return source.slice(at + command.length + 2, i);
  }
  return null;
}

/** 1 − edit distance ÷ the truth's length, by characters; not below 0. */
export function similarity(truth: string, other: string): number {
  if (truth.length === 0) return other.length === 0 ? 1 : 0;
  let row = Uint32Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= truth.length; i++) {
    const next = new Uint32Array(other.length + 1);
    next[0] = i;
    for (let j = 1; j <= other.length; j++) {
      const change = (row[j - 1] as number) + (truth[i - 1] === other[j - 1] ? 0 : 1);
      next[j] = Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1);
    }
    row = next;
  }
  return Math.max(0, 1 - (row[other.length] as number) / truth.length);
}
