/** What reading a page needs to know, and what it collects. */
import type { Numbering } from './blocks/numbering.ts';
import type { InlineOptions } from './lines/inline.ts';

export interface ReadState {
  bodySize: number;
  /** Distance of baselines in a paragraph, in points. */
  leading: number;
  packages: Set<string>;
  preamble: string[];
  inline: InlineOptions;
  /** Words of the document, to undo hyphenation. */
  knows: (word: string) => boolean;
  numbering: Numbering;
  /** Sizes of the document's numbered headings by level. */
  headingSizes: ReadonlyMap<number, number>;
  /** Headings as the AMS classes set them. */
  isAms: boolean;
  /** Number of the numbered heading before; '' at the document's start, null when it is not known. */
  lastNumber: string | null;
  /** Notes at the foot of the page that no mark leads to. */
  loose: string[];
  title: { title: string; author?: string; date?: string } | null;
}
