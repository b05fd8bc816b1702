/** Inside formulas: atoms and their scripts, `\left` with `\right`, and missing arguments of commands. */
import { mathArity } from '#latex/source/commands.ts';
import { readOptional, skipSpace } from '#latex/source/matches.ts';
import type { Token } from '#latex/source/scan.ts';
import { mathRunStart } from '../math-run.ts';
import { isProse } from '../repair-dollars.ts';
import { type Frame, isFormula } from './frames.ts';
import type { StructurePass } from './structure-pass.ts';

const delimiterCommands =
  /^([{}|]|[lr](angle|brace|brack|floor|ceil|vert|Vert|group|moustache)|vert|Vert|(up|down|updown)arrow|(Up|Down|Updown)arrow|backslash|ulcorner|urcorner|llcorner|lrcorner|llbracket|rrbracket)$/;

/** True if token `index` directly follows a `^` or `_`. */
export function isScriptArgument(pass: StructurePass, index: number): boolean {
  let i = index - 1;
  while (i >= 0 && pass.tokens[i]!.kind === 'space') i--;
  const kind = pass.tokens[i]?.kind;
  return kind === 'superscript' || kind === 'subscript';
}

/** Begins a new atom of a formula: scripts are counted from here. */
export function beginAtom(pass: StructurePass, frame: Frame, index: number): void {
  if (frame.mode !== 'math') return;
  const token = pass.tokens[index]!;
  if (isScriptArgument(pass, index)) {
    if (token.kind !== 'text') return;
    const word = pass.text.slice(token.start, token.end);
    if (word[1] === "'" && frame.scripts.up) pass.insert(token.start + 1, '{}');
    if ([...word].length > 1) frame.scripts = { up: false, down: false };
    return;
  }
  if (token.kind === 'text' && pass.text[token.start] === "'") {
    if (frame.scripts.up) pass.insert(token.start, '{}');
    return;
  }
  frame.scripts = { up: false, down: false };
}

/** `^` and `_`: at most one of each on an atom, each with an argument, and neither in text. */
export function visitScript(pass: StructurePass, index: number, token: Token): void {
  const frame = pass.top;
  if (frame.mode === 'raw') return;
  if (frame.mode === 'text') {
    visitTextScript(pass, index, token);
    return;
  }
  const next = pass.tokens[skipSpace(pass.tokens, index + 1)];
  const isUp = token.kind === 'superscript';
  if (isUp ? frame.scripts.up : frame.scripts.down) {
    pass.insert(token.start, '{}');
    frame.scripts = { up: false, down: false };
  }
  if (isUp) frame.scripts.up = true;
  else frame.scripts.down = true;
  const lacksArgument =
    !next ||
    /^(close|dollar|double-dollar|ampersand|end|superscript|subscript|break|tilde|begin)$/.test(next.kind) ||
    (next.kind === 'command' && /^(\\|\]|\)|left|right|item|label|limits|nolimits)$/.test(next.name));
  if (lacksArgument) pass.insert(token.end, '{}');
  else if (next.kind === 'text' && pass.text[next.start] === "'") pass.insert(token.end, '{}');
}

function visitTextScript(pass: StructurePass, index: number, token: Token): void {
  const previous = pass.tokens[index - 1];
  const next = pass.tokens[index + 1];
  const base = previous?.kind === 'text' ? pass.text.slice(previous.start, previous.end) : '';
  const script = next?.kind === 'text' ? pass.text.slice(next.start, next.end) : '';
  const isName =
    (isProse(base) && !/^(\d|[^\p{L}]|.$)/u.test(script)) || isProse(script) || (!previous && !next);
  const hasBase = previous !== undefined && /^(text|close|command)$/.test(previous.kind);
  if (isName || !hasBase || !next || /^(space|break|close)$/.test(next.kind)) {
    pass.replace(token, token.kind === 'subscript' ? '\\_' : '\\textasciicircum{}');
    return;
  }
  pass.openOwnFormula(index, mathRunStart(pass.text, pass.tokens, index));
  visitScript(pass, index, token);
}

/** `\left`, `\middle`, `\right`: in pairs, each with its delimiter. `next` is the token after the spaces. */
export function visitDelimiter(
  pass: StructurePass,
  index: number,
  token: Token,
  next: Token | undefined,
): void {
  if (pass.top.mode === 'text') {
    pass.openOwnFormula(index, mathRunStart(pass.text, pass.tokens, index));
  }
  if (token.name === 'right' || token.name === 'middle') {
    const height = pass.find(
      (frame) => frame.kind === 'left',
      (frame) =>
        frame.kind === 'environment' || isFormula(frame) || (frame.kind === 'group' && frame.isMatched),
    );
    if (height < 0) {
      const isDot = next?.kind === 'text' && pass.text[next.start] === '.';
      pass.splices.push({ start: token.start, end: isDot ? next.start + 1 : token.end, text: '' });
      return;
    }
    pass.closeDownTo(height + 1, token.start);
    if (token.name === 'right') {
      pass.pop(token.start);
      pass.top.scripts = { up: false, down: false };
    }
  }
  const isDelimiter =
    next !== undefined &&
    ((next.kind === 'text' && /^[()|/.<>]/.test(pass.text[next.start]!)) ||
      next.kind === 'bracket-open' ||
      next.kind === 'bracket-close' ||
      (next.kind === 'command' && delimiterCommands.test(next.name)));
  if (!isDelimiter) pass.insert(token.end, '.');
  if (token.name === 'left') {
    beginAtom(pass, pass.top, index);
    pass.push('left', '', 'math', index);
  }
}

/** Inserts `{}` for each missing argument of a math command. */
export function fillArguments(pass: StructurePass, index: number, token: Token): void {
  const wanted = mathArity.get(token.name);
  if (!wanted) return;
  let at = index + 1;
  const optional = readOptional(pass.tokens, at);
  if (optional && token.name === 'sqrt') at = optional.close + 1;
  let position = at > index + 1 ? pass.tokens[at - 1]!.end : token.end;
  for (let n = 0; n < wanted; n++) {
    const i = skipSpace(pass.tokens, at);
    const next = pass.tokens[i];
    const isMissing =
      !next ||
      /^(close|dollar|double-dollar|ampersand|end|break|begin)$/.test(next.kind) ||
      (next.kind === 'command' && /^(\\|\]|\)|right|left|item)$/.test(next.name));
    if (isMissing) {
      pass.insert(position, '{}'.repeat(wanted - n));
      return;
    }
    if (next.kind === 'text') {
      // Single characters are arguments too: `\frac12`.
      const width = next.end - next.start;
      if (width >= wanted - n) return;
      n += width - 1;
    }
    const close = next.kind === 'open' ? pass.partner.get(i) : i;
    if (close === undefined) return;
    at = close + 1;
    position = pass.tokens[close]!.end;
  }
}
