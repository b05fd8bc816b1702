/** A document's source by lines and tokens, to address places in it. */
import { findBody, listPackages, type PackageUse } from './read-commands.ts';
import { type Annotated, annotate } from './syntax.ts';

/** A place: line from 1, column from 0 in UTF-16 units. */
export interface Position {
  line: number;
  column: number;
}

export class SourceText {
  readonly text: string;
  readonly #starts: number[] = [0];
  #annotated: Annotated | null = null;
  #packages: readonly PackageUse[] | null = null;

  constructor(text: string) {
    this.text = text;
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  /** Tokens with their modes; computed on first use. */
  get annotated(): Annotated {
    this.#annotated ??= annotate(this.text);
    return this.#annotated;
  }

  /** What loads packages; computed on first use. */
  get packages(): readonly PackageUse[] {
    this.#packages ??= listPackages(this.text, this.annotated.tokens);
    return this.#packages;
  }

  get lineCount(): number {
    return this.#starts.length;
  }

  /** Offset of a line's start; beyond the last line, the end of the text. */
  startOf(line: number): number {
    return this.#starts[line - 1] ?? this.text.length;
  }

  /** Offset of a line's end, without its newline. */
  endOf(line: number): number {
    const next = this.#starts[line];
    return next === undefined ? this.text.length : next - 1;
  }

  lineText(line: number): string {
    return this.text.slice(this.startOf(line), this.endOf(line));
  }

  positionOf(offset: number): Position {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: offset - this.#starts[low]! };
  }

  /** null if there is no such place. */
  offsetOf({ line, column }: Position): number | null {
    if (line < 1 || line > this.lineCount) return null;
    const offset = this.startOf(line) + column;
    return column < 0 || offset > this.endOf(line) ? null : offset;
  }

  /** How far TeX had read on a line, from the text it shows; null if that is not on the line. */
  offsetAfter(line: number | null, before: string): number | null {
    if (line === null || line < 1 || line > this.lineCount) return null;
    const text = this.lineText(line);
    const shown = before.startsWith('...') ? before.slice(3) : before;
    if (shown === '') return null;
    const at = before.startsWith('...')
      ? text.indexOf(shown)
      : text.startsWith(shown)
        ? 0
        : text.indexOf(shown);
    return at < 0 ? null : this.startOf(line) + at + shown.length;
  }

  /** Offset of `\begin{document}`; null without it. */
  get bodyStart(): number | null {
    return findBody(this.annotated.tokens).begin?.start ?? null;
  }
}
