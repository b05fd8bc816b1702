/**
 * Repair by rule without TeX's help: one pass over a body with a stack of what is open, mending what cannot be right
 * (braces, dollar signs, environments, alignments, scripts). Sound LaTeX comes out without a splice.
 */
import { escapeLatex } from '#shared/latex/escape.ts';
import {
  commandArguments,
  displayEnvironments,
  environmentArguments,
  innerMathEnvironments,
  listEnvironments,
  type Mode,
  mathArity,
  structuralCommands,
  tableEnvironments,
} from '#shared/latex/modes.ts';
import { readGroup, readOptional, skipSpace, type Token } from '#shared/latex/scan.ts';
import { applySplices, type Splice } from '#shared/latex/splice.ts';
import { annotate, environmentMode, isAlignment } from '#shared/latex/syntax.ts';
import { isMathCommand, mathRunEnd, mathRunStart } from './math-run.ts';
import { isProse, repairDollars } from './repair-dollars.ts';

interface Frame {
  kind: 'group' | 'optional' | 'dollar' | 'double' | 'paren' | 'bracket' | 'environment' | 'left';
  /** Environment name, or the command a group is the argument of. */
  name: string;
  mode: Mode;
  /** Token that opened it. */
  index: number;
  /** A brace that has its partner when only braces are counted. */
  isMatched: boolean;
  isScript: boolean;
  /** Modes of the arguments still to come after this one. */
  rest: Mode[];
  /** For formulas we opened ourselves: where they end. */
  until: number;
  scripts: { up: boolean; down: boolean };
  wantsAligned: boolean;
  /** Text to put after the closer: the `\]` of a formula we opened around it. */
  after: string;
  /** The name `\end` must have, where `\begin` was rewritten; empty: both go. */
  renamed: string | null;
  hasItem: boolean;
  hasLabel: boolean;
  columns: { spec: Token | null; insertAt: number; count: number; row: number; most: number } | null;
}

const shortArgument = new Set(
  'textbf textit emph textrm textsf texttt underline textsc textup textsl mbox text'.split(' '),
);
const sections = /^(section|subsection|subsubsection|chapter|part|paragraph|subparagraph)\*?$/;
const delimiterCommands =
  /^([{}|]|[lr](angle|brace|brack|floor|ceil|vert|Vert|group|moustache)|vert|Vert|(up|down|updown)arrow|(Up|Down|Updown)arrow|backslash|ulcorner|urcorner|llcorner|lrcorner|llbracket|rrbracket)$/;
const nested: Record<string, string> = {
  align: 'aligned',
  flalign: 'aligned',
  eqnarray: 'aligned',
  xalignat: 'alignedat',
  alignat: 'alignedat',
  gather: 'gathered',
  multline: 'gathered',
};
const rules = /^(hline|toprule|midrule|bottomrule|cline|cmidrule)$/;

/** Splices that make the structure of a body sound. Their result may be repaired again: a second pass finds less. */
export function repairStructure(body: string): Splice[] {
  const annotated = annotate(body);
  const dollars = repairDollars(body, annotated);
  if (dollars.length > 0) {
    // What follows depends on where formulas are: mend the dollar signs first, then the rest in a pass of its own.
    const { text } = applySplices(body, dollars);
    if (text !== body) return dollars;
  }
  return new StructurePass(body, annotated.tokens).run();
}

/** Repairs until nothing more is found; the text that comes out. Used where offsets need not be kept. */
export function repairStructureFully(body: string): string {
  let text = body;
  for (let round = 0; round < 4; round++) {
    const next = applySplices(text, repairStructure(text)).text;
    if (next === text) break;
    text = next;
  }
  return text;
}

class StructurePass {
  private readonly text: string;
  private readonly tokens: readonly Token[];
  private readonly splices: Splice[] = [];
  private readonly stack: Frame[] = [];
  private readonly partner = new Map<number, number>();
  private pending: Mode[] = [];
  private owner = '';
  private canTakeOptional = false;
  private readonly root: Frame;

  constructor(text: string, tokens: readonly Token[]) {
    this.text = text;
    this.tokens = tokens;
    this.root = this.frame('group', '', 'text', -1);
    const open: number[] = [];
    tokens.forEach((token, index) => {
      if (token.kind === 'open') open.push(index);
      if (token.kind === 'close' && open.length > 0) this.partner.set(open.pop()!, index);
    });
  }

  run(): Splice[] {
    for (let index = 0; index < this.tokens.length; index++) {
      this.endOwnFormulas(this.tokens[index]!.start);
      this.visit(index);
    }
    this.endOwnFormulas(this.text.length);
    const last = this.tokens[this.tokens.length - 1];
    const end = this.text.trimEnd().length;
    if (last?.kind === 'comment' && this.stack.length > 0) this.insert(end, '\n');
    this.closeDownTo(0, end);
    return this.splices;
  }

  private frame(kind: Frame['kind'], name: string, mode: Mode, index: number): Frame {
    return {
      kind,
      name,
      mode,
      index,
      isMatched: kind !== 'group' || this.partner.has(index),
      isScript: false,
      rest: this.pending,
      until: -1,
      scripts: { up: false, down: false },
      wantsAligned: false,
      after: '',
      renamed: null,
      hasItem: false,
      hasLabel: false,
      columns: null,
    };
  }

  private push(kind: Frame['kind'], name: string, mode: Mode, index: number): Frame {
    const frame = this.frame(kind, name, mode, index);
    this.stack.push(frame);
    return frame;
  }

  private get top(): Frame {
    return this.stack[this.stack.length - 1] ?? this.root;
  }

  private insert(at: number, text: string): void {
    this.splices.push({ start: at, end: at, text });
  }

  private replace(token: Token, text: string): void {
    this.splices.push({ start: token.start, end: token.end, text });
  }

  /** Innermost frame that `test` accepts, not looking past one that `stop` accepts; -1 when there is none. */
  private find(test: (frame: Frame) => boolean, stop: (frame: Frame) => boolean = () => false): number {
    for (let i = this.stack.length - 1; i >= 0; i--) {
      if (test(this.stack[i]!)) return i;
      if (stop(this.stack[i]!)) return -1;
    }
    return -1;
  }

  private static isFormula(frame: Frame): boolean {
    return (
      frame.kind === 'dollar' || frame.kind === 'double' || frame.kind === 'paren' || frame.kind === 'bracket'
    );
  }

  private static isDisplay(frame: Frame): boolean {
    return (
      frame.kind === 'double' ||
      frame.kind === 'bracket' ||
      (frame.kind === 'environment' && displayEnvironments.has(frame.name))
    );
  }

  private static closerOf(frame: Frame): string {
    switch (frame.kind) {
      case 'group':
        return '}';
      case 'dollar':
        return '$';
      case 'double':
        return '$$';
      case 'paren':
        return '\\)';
      case 'bracket':
        return '\\]';
      case 'left':
        return '\\right.';
      case 'optional':
        return ']';
      case 'environment':
        return frame.renamed === '' ? '' : `\\end{${frame.renamed ?? frame.name}}`;
    }
  }

  /** Takes the innermost frame off, whose closer lies (or is put) at `at`. */
  private pop(at: number): Frame {
    const frame = this.stack.pop()!;
    if (frame.wantsAligned) {
      this.insert(this.tokens[frame.index]!.end, '\\begin{aligned}');
      this.insert(at, '\\end{aligned}');
    }
    if (
      frame.kind === 'environment' &&
      listEnvironments.has(frame.name) &&
      !frame.hasItem &&
      frame.name !== 'tasks'
    ) {
      this.insert(at, '\\item[]');
    }
    if (frame.columns) this.widen(frame);
    return frame;
  }

  /** Closes every frame above stack height `height`, at offset `at`. */
  private closeDownTo(height: number, at: number): void {
    while (this.stack.length > height) {
      const frame = this.pop(at);
      // An option list that was never closed began with a bracket that is text.
      if (frame.kind === 'optional') continue;
      const isBlock = frame.kind === 'environment';
      this.insert(at, `${isBlock ? '\n' : ''}${StructurePass.closerOf(frame)}${frame.after}`);
    }
  }

  private endOwnFormulas(at: number): void {
    for (;;) {
      const index = this.find((frame) => frame.until >= 0 && frame.until <= at);
      if (index < 0) return;
      this.closeDownTo(index, this.stack[index]!.until);
    }
  }

  private isAhead(from: number, test: (token: Token) => boolean, stop: (token: Token) => boolean): boolean {
    for (let i = from; i < this.tokens.length; i++) {
      if (test(this.tokens[i]!)) return true;
      if (stop(this.tokens[i]!)) return false;
    }
    return false;
  }

  private hasCloserAhead(frame: Frame, index: number): boolean {
    const kind = frame.kind;
    if (kind === 'environment') {
      let depth = 0;
      for (let i = index; i < this.tokens.length; i++) {
        const token = this.tokens[i]!;
        if (token.name !== frame.name) continue;
        if (token.kind === 'begin') depth++;
        if (token.kind === 'end' && depth-- === 0) return true;
      }
      return false;
    }
    const closer = kind === 'bracket' ? ']' : ')';
    const opener = kind === 'bracket' ? '[' : '(';
    if (kind === 'double' || kind === 'dollar') {
      const wanted = kind === 'double' ? 'double-dollar' : 'dollar';
      return this.isAhead(
        index,
        (token) => token.kind === wanted,
        (token) => token.kind === 'command' && structuralCommands.has(token.name),
      );
    }
    return this.isAhead(
      index,
      (token) => token.kind === 'command' && token.name === closer,
      (token) => token.kind === 'command' && (token.name === opener || structuralCommands.has(token.name)),
    );
  }

  private visit(index: number): void {
    const token = this.tokens[index]!;
    const frame = this.top;
    switch (token.kind) {
      case 'space':
        // A heading or a formula of chemistry that was never closed ends with its line.
        if (
          frame.kind === 'group' &&
          (sections.test(frame.name) || frame.mode === 'raw') &&
          frame.index >= 0 &&
          !frame.isMatched &&
          this.text.slice(token.start, token.end).includes('\n')
        ) {
          this.closeDownTo(this.stack.length - 1, token.start);
        }
        return;
      case 'comment':
        return;
      case 'break':
        this.visitBreak(index, token);
        break;
      case 'open': {
        const mode = this.pending.shift() ?? frame.mode;
        this.beginAtom(frame, index);
        const group = this.push('group', this.owner, mode, index);
        group.isScript = this.isScriptArgument(index);
        this.forget();
        return;
      }
      case 'close':
        this.visitClose(index, token);
        return;
      case 'bracket-open':
        if (this.canTakeOptional && readOptional(this.tokens, index)) {
          this.push('optional', '', 'raw', index);
          this.forget();
          return;
        }
        this.beginAtom(frame, index);
        break;
      case 'bracket-close':
        if (frame.kind === 'optional') {
          this.resume(frame);
          this.stack.pop();
          return;
        }
        break;
      case 'dollar':
        this.visitDollar(index, token);
        break;
      case 'double-dollar':
        this.visitDoubleDollar(index, token);
        break;
      case 'begin':
        this.visitBegin(index, token);
        return;
      case 'end':
        this.visitEnd(index, token);
        break;
      case 'ampersand':
        this.visitAmpersand(token);
        break;
      case 'hash':
        if (frame.mode !== 'raw') this.replace(token, '\\#');
        break;
      case 'superscript':
      case 'subscript':
        this.visitScript(index, token);
        break;
      case 'verbatim':
        this.needItem(token);
        if (
          /^(verb|lstinline)\*?$/.test(token.name) &&
          this.find((one) => one.kind !== 'environment' || one.mode === 'math') >= 0
        ) {
          const shown = this.text
            .slice(token.start, token.end)
            .replace(/^\\[a-z]+\*?/, '')
            .slice(1, -1);
          this.replace(token, `\\texttt{${escapeLatex(shown)}}`);
        }
        break;
      case 'text':
        // A backslash at the very end would take what follows for its name.
        if (this.text[token.start] === '\\') this.replace(token, '');
        this.needItem(token);
        this.beginAtom(frame, index);
        break;
      case 'command':
        this.visitCommand(index, token);
        return;
    }
    this.forget();
  }

  private forget(): void {
    this.pending = [];
    this.owner = '';
    this.canTakeOptional = false;
  }

  private isScriptArgument(index: number): boolean {
    let i = index - 1;
    while (i >= 0 && this.tokens[i]!.kind === 'space') i--;
    const kind = this.tokens[i]?.kind;
    return kind === 'superscript' || kind === 'subscript';
  }

  /** A new atom of a formula: scripts count from here. */
  private beginAtom(frame: Frame, index: number): void {
    if (frame.mode !== 'math') return;
    const token = this.tokens[index]!;
    if (this.isScriptArgument(index)) {
      if (token.kind !== 'text') return;
      const word = this.text.slice(token.start, token.end);
      if (word[1] === "'" && frame.scripts.up) this.insert(token.start + 1, '{}');
      if ([...word].length > 1) frame.scripts = { up: false, down: false };
      return;
    }
    if (token.kind === 'text' && this.text[token.start] === "'") {
      if (frame.scripts.up) this.insert(token.start, '{}');
      return;
    }
    frame.scripts = { up: false, down: false };
  }

  private visitBreak(index: number, token: Token): void {
    for (;;) {
      const height = this.find((frame) => StructurePass.isFormula(frame) || StructurePass.isDisplay(frame));
      if (height < 0) break;
      const frame = this.stack[height]!;
      const inText = this.stack.slice(height + 1).some((one) => one.mode === 'text');
      if (StructurePass.isDisplay(frame) && this.hasCloserAhead(frame, index)) {
        if (!inText) this.replace(token, '\n');
        return;
      }
      this.closeDownTo(height, token.start);
    }
    const loose = this.stack.findIndex(
      (frame) => frame.kind === 'group' && !frame.isMatched && frame.name !== '',
    );
    if (loose >= 0 && !this.stack.slice(loose).some((frame) => frame.kind === 'environment')) {
      this.closeDownTo(loose, token.start);
      return;
    }
    const frame = this.top;
    if (frame.kind === 'group' && frame.isMatched && shortArgument.has(frame.name)) {
      this.insert(token.start, '}');
      this.insert(token.end, `\\${frame.name}{`);
    } else if (frame.kind === 'group' && sections.test(frame.name)) this.replace(token, ' ');
  }

  private visitClose(index: number, token: Token): void {
    // Its partner first, even when an environment was begun in between and never ended.
    const own = this.find((frame) => frame.kind === 'group' && this.partner.get(frame.index) === index);
    const isHeld = this.stack
      .slice(own + 1)
      .some((frame) => frame.kind === 'environment' && this.endsBefore(frame, own, index));
    const nearest = this.find(
      (frame) => frame.kind === 'group',
      (frame) => frame.kind === 'environment',
    );
    const height = own >= 0 && !isHeld ? own : nearest;
    if (height < 0) {
      this.replace(token, '');
      return;
    }
    this.closeDownTo(height + 1, token.start);
    const group = this.pop(token.start);
    if (!group.isScript) this.top.scripts = { up: false, down: false };
    this.resume(group);
  }

  /** Is the environment's end still to come although the brace closes a group that was opened before it? */
  private endsBefore(frame: Frame, own: number, index: number): boolean {
    return own >= 0 && !listEnvironments.has(frame.name) && this.hasCloserAhead(frame, index);
  }

  /** After an argument: the next one belongs to the same command. */
  private resume(argument: Frame): void {
    this.pending = argument.rest;
    this.owner = argument.kind === 'group' ? argument.name : this.owner;
    this.canTakeOptional = false;
  }

  private visitDollar(index: number, token: Token): void {
    const boundary = (frame: Frame) =>
      frame.kind === 'environment' || (frame.kind === 'group' && frame.mode === 'text' && frame.index >= 0);
    const height = this.find((frame) => frame.kind === 'dollar' && frame.until < 0, boundary);
    if (height >= 0) {
      this.closeDownTo(height + 1, token.start);
      this.pop(token.start);
      return;
    }
    if (this.top.mode === 'math') {
      const double = this.find((frame) => frame.kind === 'double', boundary);
      if (double >= 0 && !this.hasCloserAhead(this.stack[double]!, index + 1)) {
        this.closeDownTo(double + 1, token.start);
        this.pop(token.start);
        this.replace(token, '$$');
      } else this.replace(token, '');
      return;
    }
    this.needItem(token);
    this.push('dollar', '', 'math', index);
  }

  private visitDoubleDollar(index: number, token: Token): void {
    if (this.top.kind === 'dollar' && this.top.until < 0) return;
    const height = this.find(
      (frame) => frame.kind === 'double',
      (frame) => frame.kind === 'environment',
    );
    if (height >= 0) {
      this.closeDownTo(height + 1, token.start);
      this.pop(token.start);
    } else if (this.top.mode === 'math' || this.isStrayDouble(index)) this.replace(token, '');
    else {
      this.needItem(token);
      this.push('double', '', 'math', index);
    }
  }

  /** `$$` that nothing closes, with prose after it: a slip, no display. */
  private isStrayDouble(index: number): boolean {
    let hasProse = false;
    for (let i = index + 1; i < this.tokens.length; i++) {
      const token = this.tokens[i]!;
      if (token.kind === 'double-dollar') return false;
      if (token.kind === 'break' || (token.kind === 'command' && structuralCommands.has(token.name))) break;
      if (token.kind === 'text' && isProse(this.text.slice(token.start, token.end))) hasProse = true;
    }
    return hasProse;
  }

  private visitBegin(index: number, token: Token): void {
    const { name } = token;
    const loose = this.find(
      (frame) =>
        frame.kind === 'group' &&
        !frame.isMatched &&
        (sections.test(frame.name) || shortArgument.has(frame.name)),
      (frame) => frame.kind === 'environment',
    );
    const isBlock = !innerMathEnvironments.has(name) && this.stack[loose]?.mode === 'text';
    if (loose >= 0 && isBlock) this.closeDownTo(loose, token.start);
    const isDisplay = displayEnvironments.has(name);
    const isInner = innerMathEnvironments.has(name);
    let after = '';
    let renamed: string | null = null;
    if (this.top.mode === 'math' && isDisplay) {
      const outer = this.find((frame) => StructurePass.isFormula(frame) || StructurePass.isDisplay(frame));
      const frame = this.stack[outer];
      if (frame && !this.hasCloserAhead(frame, index + 1)) this.closeDownTo(outer, token.start);
      else {
        renamed = nested[name.replace('*', '')] ?? '';
        this.replace(token, renamed === '' ? '' : `\\begin{${renamed}}`);
      }
    } else if (
      this.top.mode === 'math' &&
      (listEnvironments.has(name) || /^(figure|table|center|quote|proof|verbatim)\*?$/.test(name))
    ) {
      const outer = this.stack.findIndex(
        (frame) => StructurePass.isFormula(frame) || StructurePass.isDisplay(frame),
      );
      if (outer >= 0) this.closeDownTo(outer, token.start);
    } else if (this.top.mode === 'text' && isInner) {
      this.insert(token.start, '\\[');
      after = '\\]';
    }
    if (!listEnvironments.has(name)) this.needItem(token);
    else if (listEnvironments.has(this.top.name) && this.top.kind === 'environment' && !this.top.hasItem)
      this.needItem(token);
    const mode = renamed === '' ? this.top.mode : environmentMode(name, isInner ? 'math' : this.top.mode);
    const frame = this.push('environment', name, mode, index);
    frame.after = after;
    frame.renamed = renamed;
    if (tableEnvironments.has(name)) frame.columns = this.readColumns(index, name);
    this.pending = [...(environmentArguments[name] ?? [])];
    this.owner = name;
    this.canTakeOptional = true;
  }

  private visitEnd(index: number, token: Token): void {
    const height = this.find((frame) => frame.kind === 'environment' && frame.name === token.name);
    if (height >= 0) {
      this.closeDownTo(height + 1, token.start);
      const frame = this.pop(token.start);
      if (frame.renamed !== null) {
        this.replace(token, (frame.renamed === '' ? '' : `\\end{${frame.renamed}}`) + frame.after);
      } else if (frame.after !== '') this.insert(token.end, frame.after);
      this.top.scripts = { up: false, down: false };
      return;
    }
    const innermost = this.find((frame) => frame.kind === 'environment');
    const frame = this.stack[innermost];
    if (frame && !this.hasCloserAhead(frame, index + 1)) {
      this.closeDownTo(innermost + 1, token.start);
      this.pop(token.start);
      this.replace(token, StructurePass.closerOf(frame) + frame.after);
    } else this.replace(token, '');
  }

  /** The frame of the table or alignment whose cell we are in, or -1. */
  private cell(): number {
    return this.find(
      (frame) => frame.kind === 'environment' && isAlignment(frame.renamed || frame.name),
      (frame) => frame.kind === 'environment' && frame.renamed !== '',
    );
  }

  private visitAmpersand(token: Token): void {
    if (this.top.mode === 'raw' && this.cell() < 0) return;
    const height = this.cell();
    if (height >= 0) {
      const above = this.stack.slice(height + 1);
      if (above.some((frame) => frame.kind === 'group' && frame.isMatched)) {
        this.replace(token, '\\&');
        return;
      }
      this.closeDownTo(height + 1, token.start);
      const frame = this.stack[height]!;
      frame.scripts = { up: false, down: false };
      if (frame.columns) frame.columns.row++;
      return;
    }
    const display = this.find((frame) => StructurePass.isDisplay(frame));
    if (display >= 0 && this.top.mode === 'math' && display === this.stack.length - 1) {
      this.stack[display]!.wantsAligned = true;
    } else this.replace(token, '\\&');
  }

  private visitLineBreak(index: number, token: Token): void {
    const option = this.tokens[skipSpace(this.tokens, index + 1)];
    if (option?.kind === 'bracket-open') {
      const optional = readOptional(this.tokens, index + 1);
      const inside = optional ? this.text.slice(optional.start, optional.end) : '';
      if (!/^\s*[+-]?\s*(\d+\.?\d*|\.\d+)?\s*(pt|ex|em|cm|mm|in|bp|\\[a-zA-Z]+)\s*$/.test(inside)) {
        this.insert(token.end, '{}');
      }
    }
    const height = this.cell();
    if (height >= 0) {
      const above = this.stack.slice(height + 1);
      if (above.some((frame) => frame.kind === 'group' && frame.isMatched)) return;
      this.closeDownTo(height + 1, token.start);
      const frame = this.stack[height]!;
      frame.scripts = { up: false, down: false };
      if (frame.columns) {
        frame.columns.most = Math.max(frame.columns.most, frame.columns.row);
        frame.columns.row = 1;
      }
      return;
    }
    if (this.top.mode !== 'text') return;
    let i = index - 1;
    while (i >= 0 && /^(space|comment)$/.test(this.tokens[i]!.kind)) i--;
    const previous = this.tokens[i];
    const hasNoLine =
      !previous ||
      previous.kind === 'break' ||
      previous.kind === 'begin' ||
      (previous.kind === 'end' &&
        !isAlignment(previous.name) &&
        !/tabular|minipage|tikzpicture/.test(previous.name)) ||
      (previous.kind === 'command' &&
        /^(item|par|centering|noindent|maketitle|bigskip|medskip|smallskip|hrule|\])$/.test(previous.name)) ||
      (previous.kind === 'close' && this.isSectionClose(i));
    if (hasNoLine) this.replace(token, '');
  }

  private isSectionClose(close: number): boolean {
    for (const [open, end] of this.partner) {
      if (end === close) return sections.test(this.tokens[open - 1]?.name ?? '');
    }
    return false;
  }

  private visitScript(index: number, token: Token): void {
    const frame = this.top;
    if (frame.mode === 'raw') return;
    if (frame.mode === 'text') {
      this.visitTextScript(index, token);
      return;
    }
    const next = this.tokens[skipSpace(this.tokens, index + 1)];
    const isUp = token.kind === 'superscript';
    if (isUp ? frame.scripts.up : frame.scripts.down) {
      this.insert(token.start, '{}');
      frame.scripts = { up: false, down: false };
    }
    if (isUp) frame.scripts.up = true;
    else frame.scripts.down = true;
    const lacksArgument =
      !next ||
      /^(close|dollar|double-dollar|ampersand|end|superscript|subscript|break|tilde|begin)$/.test(
        next.kind,
      ) ||
      (next.kind === 'command' && /^(\\|\]|\)|left|right|item|label|limits|nolimits)$/.test(next.name));
    if (lacksArgument) this.insert(token.end, '{}');
    else if (next.kind === 'text' && this.text[next.start] === "'") this.insert(token.end, '{}');
  }

  private visitTextScript(index: number, token: Token): void {
    const previous = this.tokens[index - 1];
    const next = this.tokens[index + 1];
    const base = previous?.kind === 'text' ? this.text.slice(previous.start, previous.end) : '';
    const script = next?.kind === 'text' ? this.text.slice(next.start, next.end) : '';
    const isName =
      (isProse(base) && !/^(\d|[^\p{L}]|.$)/u.test(script)) || isProse(script) || (!previous && !next);
    const hasBase = previous !== undefined && /^(text|close|command)$/.test(previous.kind);
    if (isName || !hasBase || !next || /^(space|break|close)$/.test(next.kind)) {
      this.replace(token, token.kind === 'subscript' ? '\\_' : '\\textasciicircum{}');
      return;
    }
    this.openOwnFormula(index, mathRunStart(this.text, this.tokens, index));
    this.visitScript(index, token);
  }

  private openOwnFormula(index: number, start: number): void {
    const end = mathRunEnd(this.text, this.tokens, index);
    this.insert(start, '$');
    const frame = this.push('dollar', '', 'math', index);
    frame.until = Math.max(end, this.tokens[index]!.end);
  }

  private visitCommand(index: number, token: Token): void {
    const { name } = token;
    const frame = this.top;
    const next = this.tokens[skipSpace(this.tokens, index + 1)];
    this.forget();
    this.owner = name;
    this.pending = [...(commandArguments[name] ?? [])];
    this.canTakeOptional =
      this.pending.length > 0 ||
      /^(sqrt|item|\\|includegraphics|draw|node|footnote|caption|usepackage)$/.test(name);
    if (frame.mode === 'raw') {
      // A raw argument that was never closed ends with the formula it stands in.
      if (name === ']' && !frame.isMatched) this.closeFormula('bracket', token);
      if (name === ')' && !frame.isMatched) this.closeFormula('paren', token);
      return;
    }
    switch (name) {
      case '[':
        if (frame.mode === 'math') this.replace(token, '');
        else {
          this.needItem(token);
          this.push('bracket', '', 'math', index);
        }
        return;
      case ']':
        this.closeFormula('bracket', token);
        return;
      case '(':
        if (frame.mode === 'math') this.replace(token, '');
        else {
          this.needItem(token);
          this.push('paren', '', 'math', index);
        }
        return;
      case ')':
        this.closeFormula('paren', token);
        return;
      case '\\':
        this.visitLineBreak(index, token);
        return;
      case 'begin':
      case 'end':
      case 'noalign':
      case 'omit':
      case 'verb':
      case 'verb*':
        // Without a name, without a delimiter: nothing that TeX could read.
        this.replace(token, '');
        return;
      case 'left':
      case 'right':
      case 'middle':
        this.visitDelimiter(index, token, next);
        return;
      case 'item':
        this.visitItem(index, token);
        return;
      case 'notag':
      case 'nonumber':
        if (frame.mode === 'text') this.replace(token, '');
        return;
      case 'tag':
        if (this.find(StructurePass.isDisplay) < 0) this.replace(token, '');
        return;
      case 'label': {
        const equation = this.find((one) => one.kind === 'environment');
        const owner = this.stack[equation];
        if (owner && /^equation\*?$/.test(owner.name)) {
          const group = readGroup(this.tokens, index + 1);
          if (owner.hasLabel && group) {
            this.splices.push({ start: token.start, end: this.tokens[group.close]!.end, text: '' });
          }
          owner.hasLabel = true;
        }
        return;
      }
      case 'caption':
      case 'caption*':
        if (
          this.find(
            (one) =>
              one.kind === 'environment' &&
              /^(sub)?(figure|table|algorithm|longtable|wrapfigure|wraptable|lstlisting|listing)\*?$/.test(
                one.name,
              ),
          ) < 0
        ) {
          this.replace(token, '\\captionof{figure}');
        }
        return;
    }
    if (structuralCommands.has(name)) this.visitStructural(index, token);
    if (rules.test(name) && this.cell() < 0) {
      const group = name === 'cline' || name === 'cmidrule' ? readGroup(this.tokens, index + 1) : null;
      const end = group ? this.tokens[group.close]!.end : token.end;
      const rule = frame.mode === 'text' ? '\\noindent\\rule{\\linewidth}{0.4pt}' : '';
      this.splices.push({ start: token.start, end, text: rule });
      return;
    }
    if (name === 'multicolumn') {
      const height = this.cell();
      const group = readGroup(this.tokens, index + 1);
      if (height < 0 && group) {
        // Outside of a table only its content means something.
        const format = readGroup(this.tokens, group.close + 1);
        const end = this.tokens[(format ?? group).close]!.end;
        this.splices.push({ start: token.start, end, text: '' });
        return;
      }
      const columns = this.stack[height]?.columns;
      const span = group ? Number(this.text.slice(group.start, group.end)) : 1;
      if (columns && Number.isInteger(span) && span > 1 && span < 50) columns.row += span - 1;
      return;
    }
    if (
      !/^(setlength|setcounter|itemsep|setlist|small|footnotesize|large|normalsize|addtolength|parskip|parsep|topsep|renewcommand|newcommand|def|raggedright|centering|label|providecommand|itemindent|leftskip)$/.test(
        name,
      )
    ) {
      this.needItem(token);
    }
    if (
      frame.mode === 'text' &&
      isMathCommand(name) &&
      !/^(text|textrm|ensuremath|underline|to)$/.test(name)
    ) {
      this.openOwnFormula(index, mathRunStart(this.text, this.tokens, index));
    }
    if (this.top.mode === 'math') {
      this.beginAtom(this.top, index);
      this.fillArguments(index, token);
    }
  }

  private visitStructural(index: number, token: Token): void {
    const { name } = token;
    const formula = this.stack.findIndex(
      (one) => StructurePass.isFormula(one) || StructurePass.isDisplay(one),
    );
    if (
      formula >= 0 &&
      name !== 'caption' &&
      !(name === 'par' && this.stack.slice(formula).some((one) => one.mode === 'text'))
    ) {
      this.closeDownTo(formula, token.start);
    }
    if (!sections.test(name) || /paragraph/.test(name)) return;
    const loose = this.stack.findIndex(
      (one) =>
        (one.kind === 'group' && !one.isMatched) ||
        (one.kind === 'environment' &&
          listEnvironments.has(one.name) &&
          !this.hasCloserAhead(one, index + 1)),
    );
    if (loose >= 0) this.closeDownTo(loose, token.start);
  }

  private closeFormula(kind: 'bracket' | 'paren', token: Token): void {
    const height = this.find(
      (frame) => frame.kind === kind,
      (frame) =>
        frame.kind === 'environment' && !innerMathEnvironments.has(frame.name) && frame.renamed === null,
    );
    if (height >= 0) {
      this.closeDownTo(height + 1, token.start);
      this.pop(token.start);
      return;
    }
    const other = this.find(
      (frame) => StructurePass.isFormula(frame) && frame.until < 0,
      (frame) => frame.kind === 'environment',
    );
    if (other >= 0 && !this.hasCloserAhead(this.stack[other]!, this.tokens.indexOf(token) + 1)) {
      const frame = this.stack[other]!;
      this.closeDownTo(other + 1, token.start);
      this.pop(token.start);
      this.replace(token, StructurePass.closerOf(frame));
    } else this.replace(token, '');
  }

  private visitDelimiter(index: number, token: Token, next: Token | undefined): void {
    if (this.top.mode === 'text') {
      this.openOwnFormula(index, mathRunStart(this.text, this.tokens, index));
    }
    if (token.name === 'right' || token.name === 'middle') {
      const height = this.find(
        (frame) => frame.kind === 'left',
        (frame) =>
          frame.kind === 'environment' ||
          StructurePass.isFormula(frame) ||
          (frame.kind === 'group' && frame.isMatched),
      );
      if (height < 0) {
        const isDot = next?.kind === 'text' && this.text[next.start] === '.';
        this.splices.push({ start: token.start, end: isDot ? next.start + 1 : token.end, text: '' });
        return;
      }
      this.closeDownTo(height + 1, token.start);
      if (token.name === 'right') {
        this.pop(token.start);
        this.top.scripts = { up: false, down: false };
      }
    }
    const isDelimiter =
      next !== undefined &&
      ((next.kind === 'text' && /^[()|/.<>]/.test(this.text[next.start]!)) ||
        next.kind === 'bracket-open' ||
        next.kind === 'bracket-close' ||
        (next.kind === 'command' && delimiterCommands.test(next.name)));
    if (!isDelimiter) this.insert(token.end, '.');
    if (token.name === 'left') {
      this.beginAtom(this.top, index);
      this.push('left', '', 'math', index);
    }
  }

  private visitItem(index: number, token: Token): void {
    this.closeItemLabel(index);
    const height = this.find((frame) => frame.kind === 'environment' && listEnvironments.has(frame.name));
    if (height >= 0) {
      const above = this.stack.slice(height + 1);
      // Another environment that still has its end: the item belongs to it (or TeX will say so).
      const holds = above.some(
        (frame) => frame.kind === 'environment' && this.hasCloserAhead(frame, index + 1),
      );
      if (!holds) this.closeDownTo(height + 1, token.start);
      this.stack[height]!.hasItem = true;
      return;
    }
    if (this.stack.some((frame) => frame.kind === 'environment' && /bibliography/.test(frame.name))) return;
    let depth = 0;
    let list = 'itemize';
    for (let i = index; i < this.tokens.length; i++) {
      const ahead = this.tokens[i]!;
      if (ahead.kind === 'begin') depth++;
      if (ahead.kind === 'end' && depth-- === 0) {
        if (listEnvironments.has(ahead.name)) list = ahead.name;
        break;
      }
    }
    const formula = this.stack.findIndex(
      (one) => StructurePass.isFormula(one) || StructurePass.isDisplay(one),
    );
    if (formula >= 0) this.closeDownTo(formula, token.start);
    this.insert(token.start, `\\begin{${list}}\n`);
    const frame = this.push('environment', list, 'text', index);
    frame.hasItem = true;
  }

  /** `\item[a) text`: the label's bracket was never closed, or only by a later item's. */
  private closeItemLabel(index: number): void {
    const bracket = this.tokens[skipSpace(this.tokens, index + 1)];
    if (bracket?.kind !== 'bracket-open') return;
    const optional = readOptional(this.tokens, index + 1);
    if (optional && !/\\item\b|\n.*\n/.test(this.text.slice(optional.start, optional.end))) return;
    const label = this.tokens[this.tokens.indexOf(bracket) + 1];
    const isLabel =
      label?.kind === 'text' && /^\(?\w{1,3}[).]$/.test(this.text.slice(label.start, label.end));
    if (isLabel) this.insert(label.end, ']');
    else this.replace(bracket, '{[}');
    this.canTakeOptional = false;
  }

  /** Text in a list before its first item. */
  private needItem(token: Token): void {
    const frame = this.top;
    if (
      frame.kind !== 'environment' ||
      frame.hasItem ||
      !listEnvironments.has(frame.name) ||
      frame.name === 'tasks'
    )
      return;
    frame.hasItem = true;
    this.insert(token.start, '\\item ');
  }

  private fillArguments(index: number, token: Token): void {
    const wanted = mathArity[token.name];
    if (!wanted) return;
    let at = index + 1;
    const optional = readOptional(this.tokens, at);
    if (optional && token.name === 'sqrt') at = optional.close + 1;
    let position = at > index + 1 ? this.tokens[at - 1]!.end : token.end;
    for (let n = 0; n < wanted; n++) {
      const i = skipSpace(this.tokens, at);
      const next = this.tokens[i];
      const isMissing =
        !next ||
        /^(close|dollar|double-dollar|ampersand|end|break|begin)$/.test(next.kind) ||
        (next.kind === 'command' && /^(\\|\]|\)|right|left|item)$/.test(next.name));
      if (isMissing) {
        this.insert(position, '{}'.repeat(wanted - n));
        return;
      }
      if (next.kind === 'text') {
        // Single characters are arguments too: `\frac12`.
        const width = next.end - next.start;
        if (width >= wanted - n) return;
        n += width - 1;
      }
      const close = next.kind === 'open' ? this.partner.get(i) : i;
      if (close === undefined) return;
      at = close + 1;
      position = this.tokens[close]!.end;
    }
  }

  /** The column specification of a table, or a place to put one. */
  private readColumns(index: number, name: string): Frame['columns'] {
    let at = index + 1;
    if (name === 'tabularx' || name === 'tabulary' || name === 'tabular*') {
      const width = readGroup(this.tokens, at);
      if (!width) return null;
      at = width.close + 1;
    }
    const optional = readOptional(this.tokens, at);
    if (optional) at = optional.close + 1;
    const spec = readGroup(this.tokens, at);
    const before = this.tokens[at - 1]!.end;
    if (!spec) return { spec: null, insertAt: before, count: 0, row: 1, most: 1 };
    const count = countColumns(this.text.slice(spec.start, spec.end));
    if (count === null) return null;
    return { spec: this.tokens[spec.open]!, insertAt: spec.end, count, row: 1, most: 1 };
  }

  private widen(frame: Frame): void {
    const columns = frame.columns!;
    const most = Math.max(columns.most, columns.row);
    const letter = frame.name === 'array' ? 'c' : 'l';
    if (columns.spec === null) this.insert(columns.insertAt, `{${letter.repeat(Math.min(most, 40))}}`);
    else if (most > columns.count)
      this.insert(columns.insertAt, letter.repeat(Math.min(most - columns.count, 40)));
  }
}

/** Columns of a specification such as `|l|*{3}{c}p{2cm}@{}`; null when it cannot be read. */
export function countColumns(specification: string): number | null {
  const text = specification.replace(/\s+/g, '');
  let count = 0;
  let i = 0;
  const group = (): string | null => {
    if (text[i] !== '{') return null;
    let depth = 0;
    const start = i + 1;
    for (; i < text.length; i++) {
      if (text[i] === '{') depth++;
      if (text[i] === '}' && --depth === 0) return text.slice(start, i++);
    }
    return null;
  };
  while (i < text.length) {
    const letter = text[i++]!;
    if (letter === '|' || letter === ':') continue;
    if (/[@!><]/.test(letter)) {
      if (group() === null) return null;
    } else if (letter === '*') {
      const times = Number(group());
      const inner = group();
      const innerCount = inner === null ? null : countColumns(inner);
      if (!Number.isInteger(times) || innerCount === null) return null;
      count += times * innerCount;
    } else if (/[lcrXLCRSJMYZ]/.test(letter)) {
      count++;
      if (text[i] === '[') i = text.indexOf(']', i) + 1 || text.length;
      if (text[i] === '{') group();
    } else if (/[pmbsw]/.test(letter)) {
      count++;
      if (text[i] === '{') group();
    } else return null;
  }
  return count;
}
