/** The visible characters of a LaTeX body: letters, digits and signs, each with its offset in the body. */
import { mathCharacters } from '#latex/source/unicode-table.ts';

export interface VisibleCharacter {
  /** One code point, without accents and compatibility forms. */
  character: string;
  /** UTF-16 offsets of its source in the body. */
  start: number;
  end: number;
}

const commandCharacters = new Map(
  [...mathCharacters].map(([character, command]) => [command.slice(1), character]),
);
for (const [command, character] of Object.entries({
  to: '→',
  gets: '←',
  le: '≤',
  ge: '≥',
  ne: '≠',
  epsilon: 'ε',
  emptyset: '∅',
  implies: '⇒',
  iff: '⇔',
  Longrightarrow: '⇒',
  Longleftrightarrow: '⇔',
  longrightarrow: '→',
  colon: ':',
}))
  commandCharacters.set(command, character);

/** Commands that print their own name. */
const namedFunctions = new Set(
  'sin cos tan cot sec csc sinh cosh tanh coth arcsin arccos arctan log ln lg exp lim limsup liminf max min sup inf det dim ker gcd deg arg hom Pr'.split(
    ' ',
  ),
);
/** Commands whose arguments are not printed. */
const silent = new Set(
  'begin end label includegraphics vspace hspace setcounter addtocounter phantom vphantom hphantom usepackage color pagestyle'.split(
    ' ',
  ),
);
/** Marks of one sort, drawn alike. */
const alike: Record<string, string> = {
  ϵ: 'ε',
  ϕ: 'φ',
  ϑ: 'θ',
  '−': '-',
  '∗': '*',
  '∆': 'Δ',
  '⟶': '→',
  '⟹': '⇒',
  '⟺': '⇔',
  '⩽': '≤',
  '⩾': '≥',
};
/** Letters, digits and mathematics. Punctuation and hyphens are typeset in too many ways to be compared. */
const counts = /[\p{L}\p{N}=+<>()/]|[\u2190-\u22ff\u27c0-\u27ff\u2a00-\u2aff]/u;

/** A page's text for comparison: the characters that are compared, in their plain form. */
export function plainCharacters(text: string): string[] {
  return [...text.normalize('NFKD')]
    .map((character) => alike[character] ?? character)
    .filter((c) => counts.test(c));
}

export function visibleCharacters(body: string): VisibleCharacter[] {
  const found: VisibleCharacter[] = [];
  const add = (text: string, start: number, end: number) => {
    for (const character of plainCharacters(text)) found.push({ character, start, end });
  };
  let at = 0;
  while (at < body.length) {
    const character = body[at]!;
    if (character === '%') {
      const end = body.indexOf('\n', at);
      at = end < 0 ? body.length : end;
      continue;
    }
    if (character !== '\\') {
      const length = body.codePointAt(at)! > 0xffff ? 2 : 1;
      add(body.slice(at, at + length), at, at + length);
      at += length;
      continue;
    }
    const name = /^[A-Za-z]+\*?/.exec(body.slice(at + 1, at + 40))?.[0] ?? '';
    const end = at + 1 + Math.max(1, name.length);
    const sign = name === '' ? undefined : commandCharacters.get(name);
    if (sign) add(sign, at, end);
    else if (namedFunctions.has(name)) add(name, at, end);
    at = silent.has(name.replace('*', '')) ? skipArguments(body, end) : end;
  }
  return found;
}

/** The end of the `[…]` and `{…}` that follow directly. */
function skipArguments(body: string, from: number): number {
  let at = from;
  for (;;) {
    const opener = body[at];
    if (opener !== '{' && opener !== '[') return at;
    const closer = opener === '{' ? '}' : ']';
    let depth = 0;
    let end = at;
    for (; end < body.length; end++) {
      if (body[end] === '\\') end++;
      else if (body[end] === opener) depth++;
      else if (body[end] === closer && --depth === 0) break;
    }
    if (end >= body.length) return at;
    at = end + 1;
  }
}
