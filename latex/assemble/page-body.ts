/** What the assembler takes: a page's LaTeX body and what the page knows of the whole document. */
import type { DoubtfulSpan } from '#shared/api/conversion.ts';
import type { Warning } from '#shared/api/errors.ts';

export interface PackageUse {
  name: string;
  options?: string;
}

export interface TitleBlock {
  title: string;
  author?: string;
  date?: string;
  /** Where it stands on its page. */
  box?: ShareBox;
}

/** Left, top, width and height as shares of the prepared page's picture. */
export type ShareBox = [left: number, top: number, width: number, height: number];

/** A stretch of a page's body and the ink it was read from. */
export interface PagePlace {
  /** UTF-16 offsets into the body. */
  start: number;
  end: number;
  box: ShareBox;
  /** The box was told from the look of the ink, not from its words: it may be a line off. */
  isApproximate?: true;
}

export interface PageBody {
  /** LaTeX body without preamble. Plain block structure: paragraphs, headings, lists, displays, floats. */
  body: string;
  packages: PackageUse[];
  /** Preamble lines the body needs beside packages, e.g. `\newtheorem{theorem}{Theorem}`; equal lines are merged. */
  preamble: string[];
  /** Title block, when the page has one; the assembler makes `\maketitle` of the first. */
  title?: TitleBlock;
  /** What the page knows of the whole: columns, language (babel name). */
  layout?: { columns?: 1 | 2; language?: string };
  warnings: Warning[];
  /** Offsets into `body`. */
  doubtful: DoubtfulSpan[];
  /** In the order of the body, none across another. Absent in pages that were read before places were kept. */
  places?: PagePlace[];
  /** False when the last line of the page was cut mid-sentence: the assembler joins it to the next page. */
  endsParagraph: boolean;
  /** False when the page begins in mid-sentence. */
  startsParagraph: boolean;
}

/** A page with its 1-based place in the document. Numbers rise but need not be consecutive (failed pages are left out). */
export interface NumberedPage {
  number: number;
  page: PageBody;
}

/** A page that says no more than its body, and is whole. */
export function plainPage(body: string): PageBody {
  return {
    body,
    packages: [],
    preamble: [],
    warnings: [],
    doubtful: [],
    endsParagraph: true,
    startsParagraph: true,
  };
}

/** A stretch of the final LaTeX that came from one page. */
export interface SourcePiece {
  page: number;
  /** UTF-16 offsets into the final LaTeX. */
  start: number;
  end: number;
}
