/**
 * A document's LaTeX as readers see it, to search it and to show hits: words without commands, and
 * formulas as their source between two marks. Every character has its offset in the source. Accepts any
 * text, in linear time: it has its own stack, from which each frame is removed once.
 */
import {
  commandArguments,
  displayEnvironments,
  environmentArguments,
  headingLevels,
  innerMathEnvironments,
  printedArguments,
  rawEnvironments,
  runInLevel,
  silentEnvironments,
  structuralCommands,
} from '../source/commands.ts';
import { closerOf, readGroup, readOptional } from '../source/matches.ts';
import { scanLatex, type Token } from '../source/scan.ts';
import { accentOf, printedText } from '../source/text-commands.ts';
import { normaliseTokens } from './normalise-formula.ts';

/** Before and after a formula's source in the text, and nowhere else. */
export const formulaStart = '\ue000';
export const formulaEnd = '\ue001';

export interface ReadableText {
  /** From `\title`; null without one. */
  title: string | null;
  /** One line per paragraph, heading or item. */
  text: string;
  /**
   * Ascending pairs of an offset in the text and one in the source, from which both advance equally. A new line of the
   * source begins a new pair, unless it is inside a formula.
   */
  offsets: number[];
  /** Pairs of offsets in the text, from and to: the words of chapter, section and frame titles. */
  headings: number[];
  /** Normalised tokens of each formula, in the order of their marks in the text. May be empty. */
  formulas: string[][];
}

type Mode = 'text' | 'math' | 'skip';

interface Frame {
  /** `{`, `[`, `$`, `$$`, `\(`, `\[`, or an environment's name. */
  opener: string;
  mode: Mode;
  /** Modes of the groups that may follow this one. */
  rest: Mode[];
  /** A new line begins after its words: those of a heading, a caption, a footnote. */
  isLine?: boolean;
  /** A heading's words begin here in the text. */
  headingFrom?: number;
}

export function readLatex(latex: string): ReadableText {
  return new Walk(latex).read();
}

class Walk {
  readonly #latex: string;
  readonly #tokens: Token[];
  readonly #stack: Frame[] = [];
  /** Number of open frames by opener, so that no search is in vain. */
  readonly #open = new Map<string, number>();
  readonly #formulas: string[][] = [];
  readonly #offsets: number[] = [];
  readonly #headings: number[] = [];
  #text: string[] = [];
  #length = 0;
  /** The last character written, to keep spaces single. */
  #last = '\n';
  /** What is written next is on a new line of the source, or is a formula. */
  #beginsPair = false;
  #pending: Mode[] = [];
  #takesOption: 'no' | Mode = 'no';
  /** Index of the token that began the formula being read, or -1. */
  #formulaFrom = -1;
  #formulaDepth = 0;
  #title: string | null = null;
  #hasTitle = false;
  /** The next group is a heading, on a line of its own. */
  #beginsLine = false;
  #beginsHeading = false;
  /** In the preamble only the title is read. */
  #inPreamble: boolean;

  constructor(latex: string) {
    this.#latex = latex.replaceAll(/[\ue000\ue001]/g, ' ');
    this.#tokens = scanLatex(this.#latex);
    this.#inPreamble = this.#tokens.some(({ kind, name }) => kind === 'begin' && name === 'document');
  }

  read(): ReadableText {
    for (let i = 0; i < this.#tokens.length; i++) i = this.#readToken(i);
    this.#stack.length = 0;
    if (this.#formulaFrom >= 0) this.#endFormula(this.#tokens.length);
    return {
      title: this.#title,
      text: this.#text.join('').trimEnd(),
      offsets: this.#offsets,
      headings: this.#headings,
      formulas: this.#formulas,
    };
  }

  get #mode(): Mode {
    return this.#stack.at(-1)?.mode ?? 'text';
  }

  get #reads(): boolean {
    return this.#mode === 'text' && this.#formulaFrom < 0 && !this.#inPreamble;
  }

  #write(text: string, source: number): void {
    if (!this.#reads || text === '') return;
    const isWhite = text === ' ' || text === '\n';
    if (isWhite && (this.#last === '\n' || (this.#last === ' ' && text === ' '))) return;
    const { length } = this.#offsets;
    const expected = length ? this.#offsets[length - 1]! + this.#length - this.#offsets[length - 2]! : -1;
    if (expected !== source || this.#beginsPair) this.#offsets.push(this.#length, source);
    this.#beginsPair = isWhite && this.#latex[source] === '\n';
    this.#text.push(text);
    this.#length += text.length;
    this.#last = text.at(-1)!;
  }

  #push(opener: string, mode: Mode, index: number): void {
    this.#stack.push({ opener, mode: this.#mode === 'skip' ? 'skip' : mode, rest: this.#pending });
    this.#open.set(opener, (this.#open.get(opener) ?? 0) + 1);
    this.#pending = [];
    if (mode === 'math' && this.#mode === 'math' && this.#formulaFrom < 0 && !this.#inPreamble) {
      this.#formulaFrom = index;
      this.#formulaDepth = this.#stack.length;
    }
  }

  /** Closes the innermost frame of this opener and all inside it; false if none is open. `next` is the token after. */
  #pop(opener: string, next: number): boolean {
    if (!this.#open.get(opener)) return false;
    for (let frame = this.#stack.pop(); frame; frame = this.#stack.pop()) {
      this.#open.set(frame.opener, this.#open.get(frame.opener)! - 1);
      if (this.#formulaFrom >= 0 && this.#stack.length < this.#formulaDepth) this.#endFormula(next);
      if (frame.opener === opener) {
        this.#pending = frame.rest;
        break;
      }
    }
    return true;
  }

  #endFormula(next: number): void {
    const tokens = this.#tokens.slice(this.#formulaFrom, next);
    this.#formulaFrom = -1;
    const { start } = tokens[0]!;
    const { end } = tokens.at(-1)!;
    this.#formulas.push(normaliseTokens(this.#latex, inside(tokens)));
    this.#write(formulaStart, start - 1);
    this.#beginsPair = true;
    this.#write(this.#latex.slice(start, end), start);
    this.#write(formulaEnd, end);
  }

  /** Returns the index of the last token that was read. */
  #readToken(index: number): number {
    const token = this.#tokens[index]!;
    const keepsPending = token.kind === 'space' || token.kind === 'comment' || token.kind === 'bracket-open';
    if (!keepsPending && token.kind !== 'open') this.#pending = [];
    const option = this.#takesOption;
    if (token.kind !== 'space' && token.kind !== 'comment') this.#takesOption = 'no';
    switch (token.kind) {
      case 'text':
        this.#write(this.#latex.slice(token.start, token.end), token.start);
        break;
      case 'space':
      case 'tilde':
      case 'ampersand':
        this.#write(' ', token.start);
        break;
      case 'break':
        // TeX ends a formula at the end of its paragraph
        if (this.#formulaFrom >= 0) this.#pop('$', index);
        this.#write('\n', token.start);
        break;
      case 'verbatim':
        this.#writeVerbatim(token);
        break;
      case 'open':
        this.#push('{', this.#pending.shift() ?? this.#mode, index);
        this.#stack.at(-1)!.isLine = this.#beginsLine;
        if (this.#beginsHeading) this.#stack.at(-1)!.headingFrom = this.#length;
        this.#beginsLine = false;
        this.#beginsHeading = false;
        break;
      case 'close': {
        const { isLine, headingFrom } = this.#stack.at(-1) ?? {};
        this.#pop('{', index + 1);
        if (headingFrom !== undefined) this.#headings.push(headingFrom, this.#length);
        if (isLine) this.#write('\n', token.start);
        break;
      }
      case 'bracket-open':
        // an unclosed bracket is not an option: it would hide everything after it
        if (option === 'no' || closerOf(this.#tokens, index) < 0) this.#write('[', token.start);
        else {
          const rest = this.#pending;
          this.#push('[', option, index);
          this.#stack.at(-1)!.rest = rest;
        }
        break;
      case 'bracket-close':
        if (this.#stack.at(-1)?.opener === '[') this.#pop('[', index + 1);
        else this.#write(']', token.start);
        break;
      case 'dollar':
      case 'double-dollar': {
        const opener = token.kind === 'dollar' ? '$' : '$$';
        if (!this.#pop(opener, index + 1)) this.#push(opener, 'math', index);
        break;
      }
      case 'begin':
        this.#begin(token, index);
        break;
      case 'end':
        this.#pop(token.name, index + 1);
        this.#write('\n', token.start);
        break;
      case 'command':
        return this.#readCommand(token, index);
    }
    return index;
  }

  #writeVerbatim({ start, end, name }: Token): void {
    if (silentEnvironments.has(name)) return;
    const whole = this.#latex.slice(start, end);
    const opening = beginsVerbatim.exec(whole)?.[0].length ?? 0;
    const isEnvironment = whole.startsWith('\\begin');
    const closing = isEnvironment ? `\\end{${name}}`.length : 1;
    if (isEnvironment) this.#write('\n', start);
    let from = start + opening;
    for (const line of whole.slice(opening, whole.length - closing).split('\n')) {
      this.#write(line, from);
      this.#write(isEnvironment ? '\n' : ' ', from + line.length);
      from += line.length + 1;
    }
  }

  #begin(token: Token, index: number): void {
    const { name } = token;
    if (name === 'document') {
      this.#inPreamble = false;
      this.#stack.length = 0;
      this.#open.clear();
    }
    this.#write('\n', token.start);
    const mode: Mode =
      displayEnvironments.has(name) || innerMathEnvironments.has(name)
        ? 'math'
        : rawEnvironments.has(name) || silentEnvironments.has(name)
          ? 'skip'
          : this.#mode;
    this.#push(name, mode, index);
    if (mode === 'math') return;
    this.#pending = environmentArguments(name).map(() => 'skip');
    this.#takesOption = optionsAreLooks.test(name) ? 'skip' : 'text';
  }

  #readCommand({ name, start, end }: Token, index: number): number {
    if (name === '(' || name === '[') this.#push(`\\${name}`, 'math', index);
    else if (name === ')' || name === ']') this.#pop(name === ')' ? '\\(' : '\\[', index + 1);
    else if (name === 'title' && !this.#hasTitle) {
      this.#hasTitle = true;
      this.#title = this.#readTitle(index);
    } else if (this.#reads) return this.#readTextCommand({ name, start, end }, index);
    return index;
  }

  /** A title is read separately, wherever it is; in the body its words are also read with the others. */
  #readTitle(index: number): string | null {
    const short = readOptional(this.#tokens, index + 1);
    const title = readGroup(this.#tokens, (short?.close ?? index) + 1);
    if (!title) return null;
    const { text } = readLatex(this.#latex.slice(title.start, title.end).replaceAll('\\title', ''));
    return text.replace(/\s+/g, ' ').trim() || null;
  }

  #readTextCommand({ name, start }: Pick<Token, 'name' | 'start' | 'end'>, index: number): number {
    const printed = printedText(name);
    if (printed !== null) {
      // dotted lines to write on are white space too
      const isWhite = /^(?:\s|(.)\1)+$/.test(printed);
      this.#write(isWhite ? ' ' : printed.replace('\u00ad', ''), start);
      return /^[A-Za-z]/.test(name) ? this.#skipSpace(index + 1) - 1 : index;
    }
    const accented = accentOf(name);
    if (accented !== null) return this.#readAccent(accented, index, start);
    if (lineBreaks.has(name)) {
      this.#write('\n', start);
      const level = name === 'frametitle' ? 0 : headingLevels.get(name);
      this.#beginsLine = level === undefined ? /^(?:caption|footnote)/.test(name) : level < runInLevel;
      this.#beginsHeading = level !== undefined;
    }
    if (spaces.has(name)) this.#write(' ', start);
    const printedOnes = printedArguments(name) ?? [];
    const modes = commandArguments(name);
    this.#pending = printedOnes.map((isPrinted, at) =>
      isPrinted ? (modes[at] ?? this.#mode) : 'skip',
    ) as Mode[];
    this.#takesOption = name === 'item' ? 'text' : 'skip';
    return index;
  }

  #skipSpace(index: number): number {
    return this.#tokens[index]?.kind === 'space' ? index + 1 : index;
  }

  /** `\'e`, `\'{e}`, `\v{s}`, `\"\i`. */
  #readAccent(mark: string, index: number, start: number): number {
    let at = this.#skipSpace(index + 1);
    const isGroup = this.#tokens[at]?.kind === 'open';
    if (isGroup) at++;
    const token = this.#tokens[at];
    if (token?.kind === 'command' && (token.name === 'i' || token.name === 'j')) {
      this.#write((token.name + mark).normalize('NFC'), start);
    } else if (token?.kind === 'text') {
      const [first = ''] = this.#latex.slice(token.start, token.end);
      this.#write((first + mark).normalize('NFC'), start);
      const rest = token.start + first.length;
      if (!isGroup) {
        this.#write(this.#latex.slice(rest, token.end), rest);
        return at;
      }
      this.#write(this.#latex.slice(rest, token.end), rest);
    } else return index;
    return isGroup && this.#tokens[at + 1]?.kind === 'close' ? at + 1 : at;
  }
}

const lineBreaks: ReadonlySet<string> = new Set([
  ...structuralCommands,
  ...'newline footnote hline toprule midrule bottomrule intertext author date frametitle'.split(' '),
]);
const spaces: ReadonlySet<string> = new Set(['\\', 'hspace', 'linebreak']);

/** With the options of `lstlisting` and the language of `minted`. */
const beginsVerbatim = /^\\(?:begin\{[^}]*\}(?:\[[^\]\n]*\])?(?:\{[^}\n]*\})?|[A-Za-z]+\*?\s*.)/;

/** Options of these are for appearance; of others (`theorem`, `proof`) they are names. */
const optionsAreLooks =
  /^(?:document|figure|table|tabular|array|enumerate|itemize|description|minipage|multicols|wrap|sub|long|tblr|list|algorithm|thebibliography|frame|center|columns?|block|tcolorbox|mdframed|filecontents)/;

/** A formula without its delimiters; the braces of an environment's arguments stay, which does no harm. */
function inside(tokens: readonly Token[]): Token[] {
  const first = tokens[0]!;
  const last = tokens.at(-1)!;
  const opens = first.kind !== 'begin' || displayEnvironments.has(first.name);
  return tokens.slice(opens ? 1 : 0, opens && tokens.length > 1 && isCloser(first, last) ? -1 : undefined);
}

function isCloser(first: Token, last: Token): boolean {
  if (first.kind === 'begin') return last.kind === 'end';
  if (first.kind === 'command')
    return last.kind === 'command' && last.name === (first.name === '(' ? ')' : ']');
  return first.kind === last.kind;
}
