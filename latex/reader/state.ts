/** State while a document is read from beginning to end: counters, labels, theorem kinds. */
import type { Block, Inline, Label } from './tree.ts';

export interface TheoremKind {
  /** The word that is printed. */
  name: string;
  /** The counter it shares; null if unnumbered. */
  counter: string | null;
  isItalic: boolean;
}

/** Deeper nesting is shown as text; no real document has it. */
export const maxNesting = 40;

export class ReaderState {
  readonly labels = new Map<string, Label>();
  readonly theorems = new Map<string, TheoremKind>();
  readonly counters = new Map<string, number>();
  /** Counter → the section level (1 to 3) at which it restarts. */
  readonly within = new Map<string, number>();
  readonly sections = [0, 0, 0];
  /** What a `\label` here would refer to. */
  current: Label = { number: '', name: '', id: '' };
  /** What `\maketitle` prints. */
  title: Inline[] = [];
  author: Inline[] = [];
  date: Inline[] = [];
  nesting = 0;
  listDepth = 0;
  hasChapters = false;
  #ids = 0;
  /** Reads LaTeX as blocks; set by the block reader, so that its parts need not import it. */
  readBlocks: (latex: string) => Block[] = () => [];

  newId(): string {
    return `p${++this.#ids}`;
  }

  count(counter: string): number {
    const value = (this.counters.get(counter) ?? 0) + 1;
    this.counters.set(counter, value);
    return value;
  }

  /** The counter's next value as printed: `2.1` if it restarts with each section. */
  countPrinted(counter: string): string {
    const value = this.count(counter);
    const level = this.within.get(counter);
    return level ? `${this.sections.slice(0, level).join('.')}.${value}` : String(value);
  }

  /** Steps a heading of `level` (1 to 3): returns its number and restarts counters. */
  countSection(level: number): string {
    this.sections[level - 1]!++;
    this.sections.fill(0, level);
    for (const [counter, own] of this.within) if (own >= level) this.counters.set(counter, 0);
    return this.sections.slice(0, level).join('.');
  }

  setLabel(name: string, target: Label = this.current): void {
    if (!this.labels.has(name)) this.labels.set(name, target);
  }
}
