/**
 * Scans LaTeX line by line: the state in which a line begins, what on it matters to the editor, and the state in
 * which it ends. A line depends on earlier lines only through its entry state, so that a keystroke costs the lines it
 * changes and those whose entry state it changes, never the document. (A CodeMirror stream parser would parse for up
 * to 20 ms per keystroke: more than a frame.)
 */
import {
  citationCommands,
  commandArguments,
  displayEnvironments,
  environmentArguments,
  environmentDefinitions,
  headingLevels,
  macroCommands,
  referenceCommands,
  verbatimEnvironments,
} from '#latex/source/commands.ts';

/**
 * '' in text; `m:` and what closes the formula (`$`, `$$`, `\)`, `\]`); `e:` and the name of a maths environment;
 * `v:` and the name of a verbatim environment.
 */
export type LineState = string;

export type TokenKind =
  | 'text'
  | 'command'
  | 'heading'
  | 'environment'
  | 'delimiter'
  | 'math'
  | 'math-command'
  | 'argument'
  | 'brace'
  | 'special'
  | 'comment'
  | 'verbatim';

/** Offsets count from the start of the line. */
export interface Mark {
  kind:
    | 'begin'
    | 'end'
    | 'heading'
    | 'label'
    | 'reference'
    | 'citation'
    | 'bibliography'
    | 'macro'
    | 'new-environment'
    | 'package'
    | 'graphics';
  from: number;
  to: number;
  /** Name, key or title; a list (`\cite{a,b}`) has one mark per item. */
  name: string;
  /** Start of the name itself. */
  nameFrom: number;
  nameTo: number;
  /** For a heading, its level (0 part and chapter … 5 subparagraph); for a macro, its number of arguments. */
  count: number;
  /** For a macro, its definition if it is on the same line; otherwise ''. */
  body: string;
}

export interface ScannedLine {
  readonly entry: LineState;
  readonly exit: LineState;
  readonly marks: readonly Mark[];
}

export type Emit = (kind: TokenKind, from: number, to: number) => void;

const namedKinds = new Map<string, Mark['kind']>(
  Object.entries({
    label: 'label',
    bibitem: 'bibliography',
    usepackage: 'package',
    RequirePackage: 'package',
    includegraphics: 'graphics',
  }),
);
const markKind = (command: string): Mark['kind'] | undefined =>
  referenceCommands.has(command)
    ? 'reference'
    : citationCommands.has(command)
      ? 'citation'
      : environmentDefinitions.has(command)
        ? 'new-environment'
        : namedKinds.get(command);
const lists = new Set<Mark['kind']>(['citation', 'package', 'reference']);
/** Of the arguments of these only the name is marked; the others are LaTeX. */
const namesFirst = new Set(['newenvironment', 'renewenvironment', 'newtheorem']);

const special = /[\\%${}[\]&~^_#]/g;
const commandName = /[A-Za-z@]+\*?/y;
const environmentGroup = /\s*\{([^{}\\$%]*)\}/y;
const optionalGroup = /\s*\[[^\]]*\]/y;
const macroHead =
  /\*?\s*(?:\{\s*\\([A-Za-z@]+)\s*\}|\\([A-Za-z@]+))\s*(?:\[(\d)\](?:\[[^\]]*\])?|((?:#\d)+)|\{([^{}]*)\})?\s*/y;

const none: readonly Mark[] = [];
const plain = new Map<LineState, ScannedLine>();

/** The state in which a line really begins: a blank line ends the paragraph, and with it an unclosed formula. */
export function enterLine(text: string, state: LineState): LineState {
  return state.startsWith('m:') && text.trim() === '' ? '' : state;
}

/** @param emit receives the tokens, in order and without gaps; without it only the marks are collected */
export function scanLine(text: string, state: LineState, emit?: Emit): ScannedLine {
  const entry = enterLine(text, state);
  const scanner = new LineScanner(text, entry, emit);
  const exit = scanner.run();
  if (scanner.marks === null && exit === entry) {
    let same = plain.get(entry);
    if (!same) {
      same = { entry, exit, marks: none };
      plain.set(entry, same);
    }
    return same;
  }
  return { entry, exit, marks: scanner.marks ?? none };
}

class LineScanner {
  marks: Mark[] | null = null;
  #state: LineState;
  #at = 0;
  readonly #text: string;
  readonly #emit: Emit | undefined;

  constructor(text: string, entry: LineState, emit: Emit | undefined) {
    this.#text = text;
    this.#state = entry;
    this.#emit = emit;
  }

  run(): LineState {
    const text = this.#text;
    while (this.#at < text.length) {
      if (this.#state.startsWith('v:')) {
        if (!this.#verbatim()) break;
        continue;
      }
      special.lastIndex = this.#at;
      const found = special.exec(text);
      const end = found ? found.index : text.length;
      if (end > this.#at) this.#token(this.#isMath ? 'math' : 'text', end);
      if (found) this.#one(found[0]);
    }
    return this.#state;
  }

  get #isMath(): boolean {
    return this.#state !== '';
  }

  #token(kind: TokenKind, to: number): void {
    if (to > this.#at) this.#emit?.(kind, this.#at, to);
    this.#at = to;
  }

  #mark(kind: Mark['kind'], from: number, nameFrom: number, nameTo: number, more: Partial<Mark> = {}): void {
    const name = this.#text.slice(nameFrom, nameTo);
    this.marks ??= [];
    this.marks.push({ kind, from, to: this.#at, name, nameFrom, nameTo, count: 0, body: '', ...more });
  }

  /** Returns false if the verbatim text does not end on this line. */
  #verbatim(): boolean {
    const name = this.#state.slice(2);
    const at = this.#text.indexOf(`\\end{${name}}`, this.#at);
    this.#token('verbatim', at < 0 ? this.#text.length : at);
    if (at < 0) return false;
    this.#state = '';
    return true;
  }

  #one(character: string) {
    const at = this.#at;
    if (character === '\\') return this.#command();
    if (character === '%') return this.#token('comment', this.#text.length);
    if (character === '{' || character === '}' || character === '[' || character === ']')
      return this.#token(
        character === '{' || character === '}' ? 'brace' : this.#isMath ? 'math' : 'text',
        at + 1,
      );
    if (character !== '$') return this.#token('special', at + 1);
    const width = this.#text[at + 1] === '$' ? 2 : 1;
    const closer = `m:${this.#text.slice(at, at + width)}`;
    if (this.#state === '') this.#state = closer;
    else if (this.#state === closer) this.#state = '';
    // `$$` inside `$…` closes it and opens the next formula
    else if (this.#state === 'm:$') {
      this.#state = '';
      return this.#token('delimiter', at + 1);
    }
    return this.#token('delimiter', at + width);
  }

  #command() {
    const from = this.#at;
    const text = this.#text;
    commandName.lastIndex = from + 1;
    const named = commandName.exec(text)?.[0];
    if (!named) return this.#sign(from);
    const bare = named.endsWith('*') ? named.slice(0, -1) : named;
    const end = from + 1 + named.length;
    if (bare === 'begin' || bare === 'end') {
      environmentGroup.lastIndex = end;
      const group = environmentGroup.exec(text);
      if (group) return this.#environment(bare, from, end + group[0].indexOf('{') + 1, group[1]!.length);
    }
    if (bare === 'verb' || bare === 'lstinline') {
      const opener = text[end];
      const closed = opener ? text.indexOf(opener === '{' ? '}' : opener, end + 1) : -1;
      if (closed >= 0 && !/[\sA-Za-z[]/.test(opener!)) return this.#token('verbatim', closed + 1);
    }
    const level = headingLevels.get(bare);
    if (level !== undefined) {
      this.#state = '';
      this.#token('heading', end);
      return this.#heading(from, level);
    }
    this.#token(this.#isMath ? 'math-command' : 'command', end);
    if (macroCommands.has(bare)) return this.#macro(from);
    const count = namesFirst.has(bare) ? 1 : countRaw(named);
    if (count > 0) this.#arguments(from, count, markKind(bare));
  }

  /** `\(`, `\$` and the like. */
  #sign(from: number) {
    const sign = this.#text[from + 1] ?? '';
    if ((sign === '(' || sign === '[') && this.#state === '') this.#state = sign === '(' ? 'm:\\)' : 'm:\\]';
    else if (this.#state === `m:\\${sign}`) this.#state = '';
    else return this.#token(this.#isMath ? 'math-command' : 'command', from + 1 + sign.length);
    this.#token('delimiter', from + 2);
  }

  #environment(which: 'begin' | 'end', from: number, nameFrom: number, length: number) {
    const nameTo = nameFrom + length;
    const name = this.#text.slice(nameFrom, nameTo).trim();
    this.#token('command', nameFrom);
    this.#token('environment', nameTo);
    this.#token('brace', nameTo + 1);
    this.#mark(which, from, nameFrom, nameTo);
    if (which === 'end') {
      if (this.#state === `e:${name}`) this.#state = '';
      return;
    }
    if (verbatimEnvironments.has(name)) this.#state = `v:${name}`;
    else if (displayEnvironments.has(name)) this.#state = `e:${name}`;
    else if (environmentArguments(name).length > 0) this.#arguments(from, environmentArguments(name).length);
  }

  #heading(from: number, level: number): void {
    this.#optional();
    const group = this.#findGroup(this.#at);
    if (group) this.#mark('heading', from, group.from, group.to, { count: level });
  }

  #macro(from: number) {
    macroHead.lastIndex = this.#at;
    const head = macroHead.exec(this.#text);
    const name = head && (head[1] ?? head[2]);
    if (!head || !name) return;
    const nameFrom = this.#text.indexOf(`\\${name}`, this.#at) + 1;
    const isOperator = this.#text.startsWith('\\DeclareMathOperator', from);
    // for an operator, the group after the name is its definition
    const bodyAt = isOperator && head[5] !== undefined ? null : this.#findGroup(this.#at + head[0].length);
    const written = isOperator
      ? `\\operatorname{${head[5] ?? ''}}`
      : bodyAt
        ? this.#text.slice(bodyAt.from, bodyAt.to)
        : (head[5] ?? '');
    const count = Number(head[3] ?? (head[4] ? head[4].length / 2 : 0));
    this.#token('argument', nameFrom + name.length);
    this.#mark('macro', from, nameFrom, nameFrom + name.length, { count, body: written });
  }

  #optional(): void {
    optionalGroup.lastIndex = this.#at;
    const optional = optionalGroup.exec(this.#text);
    if (optional) this.#token('argument', this.#at + optional[0].length);
  }

  #arguments(from: number, count: number, kind?: Mark['kind']): void {
    this.#optional();
    this.#optional();
    for (let i = 0; i < count; i++) {
      const group = this.#findGroup(this.#at);
      if (!group) return;
      this.#token('brace', group.from);
      this.#token('argument', group.to);
      this.#token('brace', group.to + 1);
      if (i > 0 || !kind) continue;
      if (!lists.has(kind)) this.#mark(kind, from, group.from, group.to);
      else
        for (const { index, 0: name } of this.#text.slice(group.from, group.to).matchAll(/[^\s,][^,]*/g))
          this.#mark(kind, from, group.from + index, group.from + index + name.trimEnd().length);
    }
  }

  /** The content of the group that begins at `at` (ignoring spaces) and ends on this line. */
  #findGroup(at: number): { from: number; to: number } | null {
    const text = this.#text;
    while (text[at] === ' ') at++;
    if (text[at] !== '{') return null;
    let depth = 0;
    for (let i = at; i < text.length; i++) {
      if (text[i] === '\\') i++;
      else if (text[i] === '{') depth++;
      else if (text[i] === '}' && --depth === 0) return { from: at + 1, to: i };
    }
    return null;
  }
}

function countRaw(command: string): number {
  const modes = commandArguments(command);
  if (modes.length === 0) return markKind(command) ? 1 : 0;
  const first = modes.findIndex((mode) => mode !== 'raw');
  return first < 0 ? modes.length : first;
}
