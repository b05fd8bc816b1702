/**
 * The state of one pass over a body: the stack of open frames, the arguments still expected, and the splices so far.
 * It opens and closes frames; the visitors in this folder decide what tokens mean, `repair-structure.ts` calls them.
 */
import { listEnvironments, type Mode, structuralCommands } from '#latex/source/commands.ts';
import type { Token } from '#latex/source/scan.ts';
import type { Splice } from '#latex/source/splice.ts';
import { isAlignment } from '#latex/source/syntax.ts';
import { mathRunEnd } from '../math-run.ts';
import { missingColumns } from './columns.ts';
import { closerOf, type Frame } from './frames.ts';

export class StructurePass {
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly splices: Splice[] = [];
  /** Open frames, the innermost last. */
  readonly stack: Frame[] = [];
  /** Opening brace → closing brace (token indices), counting only braces. */
  readonly partner = new Map<number, number>();
  /** Modes of the arguments that the last command (`owner`) or environment still expects. */
  pending: Mode[] = [];
  owner = '';
  canTakeOptional = false;
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

  /** Opens a frame at token `index`. */
  push(kind: Frame['kind'], name: string, mode: Mode, index: number): Frame {
    const frame = this.frame(kind, name, mode, index);
    this.stack.push(frame);
    return frame;
  }

  /** The innermost frame; the body itself if nothing is open. */
  get top(): Frame {
    return this.stack[this.stack.length - 1] ?? this.root;
  }

  insert(at: number, text: string): void {
    this.splices.push({ start: at, end: at, text });
  }

  replace(token: Token, text: string): void {
    this.splices.push({ start: token.start, end: token.end, text });
  }

  /** Stack index of the innermost frame that `test` accepts, searching up to one that `stop` accepts; -1 if none. */
  find(test: (frame: Frame) => boolean, stop: (frame: Frame) => boolean = () => false): number {
    for (let i = this.stack.length - 1; i >= 0; i--) {
      if (test(this.stack[i]!)) return i;
      if (stop(this.stack[i]!)) return -1;
    }
    return -1;
  }

  /** Removes the innermost frame, whose closer is (or is inserted) at `at`. */
  pop(at: number): Frame {
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
    const columns = frame.columns && missingColumns(frame.columns, frame.name);
    if (frame.columns && columns) this.insert(frame.columns.insertAt, columns);
    return frame;
  }

  /** Closes every frame above stack height `height`, at offset `at`. */
  closeDownTo(height: number, at: number): void {
    while (this.stack.length > height) {
      const frame = this.pop(at);
      // The bracket of an unclosed option list is text.
      if (frame.kind === 'optional') continue;
      const isBlock = frame.kind === 'environment';
      this.insert(at, `${isBlock ? '\n' : ''}${closerOf(frame)}${frame.after}`);
    }
  }

  /** Closes the formulas that the pass opened itself and that end at or before offset `at`. */
  endOwnFormulas(at: number): void {
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

  /** True if the frame's closer occurs from token `index` on. */
  hasCloserAhead(frame: Frame, index: number): boolean {
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

  /** The last command expects no further arguments. */
  forget(): void {
    this.pending = [];
    this.owner = '';
    this.canTakeOptional = false;
  }

  /** After an argument: the next one belongs to the same command. */
  resume(argument: Frame): void {
    this.pending = argument.rest;
    this.owner = argument.kind === 'group' ? argument.name : this.owner;
    this.canTakeOptional = false;
  }

  /** Opens a formula around token `index`, from offset `start` to the end of its run of mathematics. */
  openOwnFormula(index: number, start: number): void {
    const end = mathRunEnd(this.text, this.tokens, index);
    this.insert(start, '$');
    const frame = this.push('dollar', '', 'math', index);
    frame.until = Math.max(end, this.tokens[index]!.end);
  }

  /** Stack index of the table or alignment whose cell this is, or -1. */
  cell(): number {
    return this.find(
      (frame) => frame.kind === 'environment' && isAlignment(frame.renamed || frame.name),
      (frame) => frame.kind === 'environment' && frame.renamed !== '',
    );
  }
}
