/** What has been written of a column, and what is open: a paragraph, displays, lists, a theorem. */

import { joinLines, plainStyle, type Span, type TextStyle, writeSpans } from '../lines/spans.ts';
import type { ReadState } from '../state.ts';
import type { DisplayLine } from './display.ts';
import type { Counter } from './lists.ts';
import type { OpenTheorem } from './theorems.ts';
import { writeDisplay } from './write-display.ts';

/** A list whose end has not been written; places in points. */
export interface OpenList {
  env: 'itemize' | 'enumerate' | 'description' | 'quote' | 'abstract';
  contentX: number;
  labelX: number;
  counter: Counter | null;
  value: number;
}

/** Environments are opened and closed on a stack, so the output is balanced. */
export class Flow {
  readonly #state: ReadState;
  /** Finished blocks; the last may still change. */
  readonly out: string[] = [];
  readonly lists: OpenList[] = [];
  /** Lines of the open paragraph. */
  paragraph: Span[][] = [];
  paragraphHead = '';
  /** Rows of displays that may belong together. */
  displays: DisplayLine[] = [];
  theorem: OpenTheorem | null = null;
  /** The next text continues without an empty line. */
  glue = true;

  constructor(state: ReadState) {
    this.#state = state;
  }

  flushDisplays(): void {
    if (this.displays.length === 0) return;
    const hadText = this.paragraph.length > 0;
    if (hadText) this.writeParagraph(false);
    const latex = writeDisplay(this.displays, {
      packages: this.#state.packages,
      isItalic: this.theorem?.isItalic === true,
    });
    this.push(`${latex}\n`);
    this.displays = [];
    this.glue = true;
  }

  flushParagraph(): void {
    this.flushDisplays();
    if (this.paragraph.length > 0) this.writeParagraph(true);
    else if (this.glue && this.out.length > 0) {
      this.push('\n');
      this.glue = false;
    }
  }

  writeParagraph(isEnd: boolean): void {
    const base: TextStyle = this.theorem?.isItalic ? { ...plainStyle, italic: true } : plainStyle;
    const latex = writeSpans(joinLines(this.paragraph, this.#state.knows), base).trim();
    this.paragraph = [];
    this.push(`${this.paragraphHead}${latex}${isEnd ? '\n\n' : '\n'}`);
    this.paragraphHead = '';
    this.glue = !isEnd;
  }

  openEnvironment(name: string, options: string): void {
    this.push(`${this.pad()}\\begin{${name}}${options}\n`);
  }

  pad(): string {
    return '  '.repeat(this.lists.length);
  }

  closeList(): void {
    this.flushParagraph();
    const list = this.lists.pop();
    if (!list) return;
    this.trimBlank();
    this.push(`${this.pad()}\\end{${list.env}}\n`);
    this.glue = true;
  }

  endTheorem(): void {
    this.flushParagraph();
    while (this.lists.length > 0) this.closeList();
    if (this.theorem) {
      this.trimBlank();
      this.push(`\\end{${this.theorem.env}}\n\n`);
    }
    this.theorem = null;
    this.glue = false;
  }

  /** No empty line before an \end. */
  trimBlank(): void {
    const last = this.out.length - 1;
    const text = this.out[last];
    if (text !== undefined) this.out[last] = text.replace(/\n+$/, '\n');
  }

  closeAll(): void {
    this.flushParagraph();
    while (this.lists.length > 0) this.closeList();
    if (this.theorem) this.endTheorem();
    const last = this.out[this.out.length - 1];
    if (last !== undefined && !last.endsWith('\n\n')) this.push('\n');
  }

  push(text: string): void {
    this.out.push(text);
  }
}
