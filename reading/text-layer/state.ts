/** What reading a page needs to know, and what it collects. */
import type { InlineOptions } from './lines/inline.ts';

/** One theorem head seen in the document, in order. */
export interface Theorem {
  kind: string;
  number: string | null;
}

export interface ReadState {
  bodySize: number;
  /** Distance of baselines in a paragraph, in points. */
  leading: number;
  packages: Set<string>;
  preamble: string[];
  inline: InlineOptions;
  /** Words of the document, to undo hyphenation. */
  knows: (word: string) => boolean;
  theorems: Theorem[];
  /** Number of the numbered heading before; '' at the document's start, null when it is not known. */
  lastNumber: string | null;
  isParagraphHeading: boolean;
  title: { title: string; author?: string; date?: string } | null;
}
