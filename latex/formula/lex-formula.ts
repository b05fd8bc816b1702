/** Splits a formula's source into symbols: a run of text (`ab12`) becomes one symbol per character. */
import { scanLatex, type Token } from '../source/scan.ts';
import { mathCharacters } from '../source/unicode-table.ts';

export type MathSymbol =
  | { kind: 'letter' | 'digit' | 'other'; name: string }
  | { kind: 'command' | 'begin' | 'end'; name: string }
  | { kind: 'open' | 'close' | 'bracket-open' | 'bracket-close' | 'up' | 'down' | 'cell' | 'row' | 'space' };

const kinds: Partial<Record<Token['kind'], MathSymbol>> = {
  open: { kind: 'open' },
  close: { kind: 'close' },
  'bracket-open': { kind: 'bracket-open' },
  'bracket-close': { kind: 'bracket-close' },
  superscript: { kind: 'up' },
  subscript: { kind: 'down' },
  ampersand: { kind: 'cell' },
  space: { kind: 'space' },
  break: { kind: 'space' },
  tilde: { kind: 'space' },
};

/** Longer formulas are read up to here: nobody searches for the rest. */
const longestFormula = 6_000;

/** Takes a formula without its dollars; never throws. */
export function lexFormula(source: string): MathSymbol[] {
  return lexTokens(source, scanLatex(source.slice(0, longestFormula)));
}

/** As `lexFormula`, from existing tokens of `source`, or a range of them. */
export function lexTokens(source: string, tokens: readonly Token[]): MathSymbol[] {
  const symbols: MathSymbol[] = [];
  for (const token of tokens) {
    if (symbols.length >= longestFormula) break;
    const simple = kinds[token.kind];
    if (simple) symbols.push(simple);
    else if (token.kind === 'text') pushText(source.slice(token.start, token.end), symbols);
    else if (token.kind === 'begin' || token.kind === 'end')
      symbols.push({ kind: token.kind, name: token.name.replace(/\*$/, '') });
    else if (token.kind === 'command')
      symbols.push(token.name === '\\' ? { kind: 'row' } : { kind: 'command', name: token.name });
  }
  return symbols;
}

function pushText(text: string, symbols: MathSymbol[]): void {
  for (const character of text) {
    if (/[0-9]/.test(character)) symbols.push({ kind: 'digit', name: character });
    else if (/[A-Za-z]/.test(character)) symbols.push({ kind: 'letter', name: character });
    else pushBeyondAscii(character, symbols);
  }
}

/** `∫`, `≤`, `ℝ`, `𝑥`, `²` as the equivalent LaTeX. */
function pushBeyondAscii(character: string, symbols: MathSymbol[]): void {
  const written = character > '\u007f' ? mathCharacters.get(character) : undefined;
  if (written !== undefined) {
    const [, name, argument] = /^\\([A-Za-z]+)(?:\{(.*)\})?/.exec(written) ?? [];
    if (name === undefined) symbols.push({ kind: 'letter', name: written });
    else {
      symbols.push({ kind: 'command', name });
      if (argument !== undefined) {
        symbols.push({ kind: 'open' });
        pushText(argument, symbols);
        symbols.push({ kind: 'close' });
      }
    }
    return;
  }
  const plain = character > '\u007f' ? character.normalize('NFKC') : character;
  if (plain !== character && /^[A-Za-z0-9+\-=()]$/.test(plain)) {
    if (/[⁰-ⁿ²³¹]/u.test(character)) symbols.push({ kind: 'up' });
    if (/[₀-ₜ]/u.test(character)) symbols.push({ kind: 'down' });
    pushText(plain, symbols);
  } else symbols.push({ kind: /\p{L}/u.test(plain) ? 'letter' : 'other', name: plain === '−' ? '-' : plain });
}
