/**
 * The tokenizer that everything in this folder builds on. It never fails: any text becomes tokens that cover it
 * without gaps, each with its offsets. It recognises verbatim text and comments; it does not know what commands mean.
 */
import { starredCommands, verbatimEnvironments } from './commands.ts';

export type TokenKind =
  /** `\name` or `\` and one other character; `name` is without the backslash. Trailing spaces are not included. */
  | 'command'
  /** `\begin{name}` and `\end{name}`, whole. */
  | 'begin'
  | 'end'
  | 'open'
  | 'close'
  | 'bracket-open'
  | 'bracket-close'
  /** `$` and `$$`. */
  | 'dollar'
  | 'double-dollar'
  | 'text'
  /** White space without a blank line. */
  | 'space'
  /** White space with a blank line, which ends a paragraph. */
  | 'break'
  /** `%` to the end of its line, including the line end. */
  | 'comment'
  /** A whole verbatim environment, `\verb|…|`, `\lstinline|…|` or the argument of `\url`; `name` says which. */
  | 'verbatim'
  | 'ampersand'
  | 'hash'
  | 'superscript'
  | 'subscript'
  | 'tilde';

export interface Token {
  kind: TokenKind;
  start: number;
  end: number;
  /** Command or environment name; empty for other kinds. */
  name: string;
}

const singles: Record<string, TokenKind> = {
  '{': 'open',
  '}': 'close',
  '[': 'bracket-open',
  ']': 'bracket-close',
  '&': 'ampersand',
  '#': 'hash',
  '^': 'superscript',
  _: 'subscript',
  '~': 'tilde',
};

const plainRun = /[^\\{}[\]$&#^_~%\s]+/y;
const whiteRun = /\s+/y;
const commandName = /[A-Za-z@]+\*?/y;
const environmentName = /\s*\{([^{}\\$%\n]{1,60})\}/y;

function matchAt(pattern: RegExp, text: string, offset: number): RegExpExecArray | null {
  pattern.lastIndex = offset;
  return pattern.exec(text);
}

/** The end and kind of a token that begins with a backslash. */
function scanCommand(text: string, start: number, unclosed: Set<string>): Token {
  const named = matchAt(commandName, text, start + 1);
  if (!named) {
    const width = (text.codePointAt(start + 1) ?? 0) > 0xffff ? 2 : 1;
    const end = Math.min(text.length, start + 1 + width);
    return { kind: 'command', start, end, name: text.slice(start + 1, end) };
  }
  const name = named[0];
  const end = start + 1 + name.length;
  if (name === 'begin' || name === 'end') {
    const environment = matchAt(environmentName, text, end);
    if (environment) {
      const inner = environment[1]!.trim();
      const after = end + environment[0].length;
      if (name === 'end') return { kind: 'end', start, end: after, name: inner };
      if (verbatimEnvironments.has(inner)) {
        const closing = `\\end{${inner}}`;
        const closed = unclosed.has(inner) ? -1 : text.indexOf(closing, after);
        if (closed < 0) unclosed.add(inner);
        if (closed >= 0) return { kind: 'verbatim', start, end: closed + closing.length, name: inner };
      }
      return { kind: 'begin', start, end: after, name: inner };
    }
  }
  const bare = name.replace(/\*$/, '');
  if (bare === 'verb' || bare === 'lstinline') {
    // `\lstinline[options]` is rare in notes and would need nesting rules of its own: scanned as a command.
    const delimiter = text[end];
    if (delimiter && !/[\sA-Za-z[*]/.test(delimiter)) {
      const closer = delimiter === '{' && bare === 'lstinline' ? '}' : delimiter;
      const closed = text.indexOf(closer, end + 1);
      const lineEnd = text.indexOf('\n', end);
      if (closed >= 0 && (lineEnd < 0 || closed < lineEnd)) {
        return { kind: 'verbatim', start, end: closed + 1, name: bare };
      }
    }
  }
  if (name === 'url' || name === 'nolinkurl') {
    const url = matchAt(/\s*\{[^{}\n]*\}/y, text, end);
    if (url) return { kind: 'verbatim', start, end: end + url[0].length, name };
  }
  // a star is part of the name only for these; elsewhere (`\alpha*`) it is text
  if (name.endsWith('*') && !starredCommands.has(bare))
    return { kind: 'command', start, end: end - 1, name: bare };
  return { kind: 'command', start, end, name };
}

/** Every character of `text` is in exactly one token, in order. */
export function scanLatex(text: string): Token[] {
  const tokens: Token[] = [];
  let offset = 0;
  let atLineStart = false;
  /** Verbatim environments without a further `\end`: not searched for again. */
  const unclosed = new Set<string>();
  while (offset < text.length) {
    const token = scanAt(text, offset, atLineStart, unclosed);
    tokens.push(token);
    offset = token.end;
    atLineStart = token.kind === 'comment' && text[token.end - 1] === '\n';
  }
  return tokens;
}

function scanAt(text: string, start: number, atLineStart: boolean, unclosed: Set<string>): Token {
  const character = text[start]!;
  if (character === '\\') {
    if (start + 1 >= text.length) return { kind: 'text', start, end: start + 1, name: '' };
    return scanCommand(text, start, unclosed);
  }
  const single = singles[character];
  if (single) return { kind: single, start, end: start + 1, name: '' };
  if (character === '$') {
    const isDouble = text[start + 1] === '$';
    return { kind: isDouble ? 'double-dollar' : 'dollar', start, end: start + (isDouble ? 2 : 1), name: '' };
  }
  if (character === '%') {
    const newline = text.indexOf('\n', start);
    return { kind: 'comment', start, end: newline < 0 ? text.length : newline + 1, name: '' };
  }
  const white = matchAt(whiteRun, text, start);
  if (white) {
    const lines = white[0].split('\n').length - 1;
    const isBreak = lines >= 2 || (atLineStart && lines >= 1);
    return { kind: isBreak ? 'break' : 'space', start, end: start + white[0].length, name: '' };
  }
  const plain = matchAt(plainRun, text, start)!;
  return { kind: 'text', start, end: start + plain[0].length, name: '' };
}
