/** Lists, and environments that style their lines. Counts items while a text is walked through. */
import { printCount, readCounting } from '#latex/reader/counting.ts';
import type { Counting } from '#latex/reader/tree.ts';
import type { Argument } from '#latex/source/matches.ts';
import type { Token } from '#latex/source/scan.ts';
import type { Piece } from './pieces.ts';

interface OpenList {
  counting: Counting | null;
  count: number;
  depth: number;
  /** Where its `\end` begins. */
  end: number;
}

const bullets = ['•', '–', '∗', '·'];
/** Lists deeper than this are indented like it. */
const deepest = 4;

export class ListPlanner {
  readonly #text: string;
  readonly #pieces: Piece[];
  #open: OpenList[] = [];
  readonly #ends = new Set<number>();
  /** Lines of an environment: offsets and a style. */
  readonly #stretches: { from: number; to: number; look: string }[] = [];

  constructor(text: string, pieces: Piece[]) {
    this.#text = text;
    this.#pieces = pieces;
  }

  /** @param from to the `\begin` with its options */
  open(name: string, from: number, to: number, closer: Token, options: string) {
    this.#leave(from);
    const isCounted = /^(?:enumerate|compactenum)$/.test(name);
    const counted = this.#open.filter(({ counting }) => counting !== null).length;
    const depth = this.#open.length + 1;
    const counting = isCounted ? readCounting(options, counted) : null;
    this.#open.push({ counting, count: 0, depth, end: closer.start });
    this.enclose(`list-${Math.min(depth, deepest)}`, from, closer);
    this.thin(from, to);
  }

  /** Styles the lines from here to the end of an environment. */
  enclose(look: string | null, from: number, closer: Token) {
    this.#ends.add(closer.start);
    if (look !== null) this.#stretches.push({ from, to: closer.end, look });
  }

  endsAt(offset: number): boolean {
    return this.#ends.has(offset);
  }

  code(from: number, to: number) {
    this.#stretches.push({ from, to, look: 'code-line' });
  }

  /** Hides a `\begin` or `\end`; if nothing else is on its line, the line becomes thin. */
  thin(from: number, to: number) {
    const start = this.#lineStart(from);
    const newline = this.#text.indexOf('\n', to);
    const end = newline < 0 ? this.#text.length : newline;
    const isAlone = this.#text.slice(start, from).trim() === '' && this.#text.slice(to, end).trim() === '';
    const span = isAlone ? { from: start, to: end } : { from, to };
    this.#pieces.push({ kind: 'hide', ...span, span });
    if (isAlone) this.#pieces.push({ kind: 'line', from: start, look: 'thin', span });
  }

  /** @returns the index after the command, or after its option's bracket, whose words stay */
  item(tokens: readonly Token[], index: number, option: Argument | null): number {
    const { start, end } = tokens[index]!;
    this.#leave(start);
    const list = this.#open[this.#open.length - 1];
    if (!list) return index + 1;
    const line = this.#lineStart(start);
    const from = this.#text.slice(line, start).trim() === '' ? line : start;
    if (from === line)
      this.#pieces.push({ kind: 'line', from: line, look: option ? 'description' : 'item', span: null });
    if (option) {
      const to = tokens[option.close]!.end;
      const span = { from, to };
      this.#pieces.push(
        { kind: 'hide', from, to: option.start, span },
        { kind: 'mark', from: option.start, to: option.end, look: 'bold' },
        { kind: 'hide', from: option.end, to, span },
      );
      return option.open + 1;
    }
    const label = list.counting
      ? printCount(list.counting, ++list.count)
      : bullets[Math.min(list.depth, bullets.length) - 1]!;
    const to = this.#text[end] === ' ' ? end + 1 : end;
    this.#pieces.push({ kind: 'show', from, to, span: { from, to }, shown: { kind: 'item', label } });
    return index + 1;
  }

  finish() {
    for (const { from, to, look } of this.#stretches)
      for (let at = this.#lineStart(from); at < to; ) {
        this.#pieces.push({ kind: 'line', from: at, look, span: null });
        const newline = this.#text.indexOf('\n', at);
        if (newline < 0) break;
        at = newline + 1;
      }
  }

  #leave(offset: number) {
    this.#open = this.#open.filter(({ end }) => end > offset);
  }

  #lineStart(offset: number): number {
    return offset === 0 ? 0 : this.#text.lastIndexOf('\n', offset - 1) + 1;
  }
}
