/** The assembler's input: a page's LaTeX body and what the page knows about the whole document. */
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
  /** Its position on the page. */
  box?: ShareBox;
}

/** Left, top, width and height as fractions of the prepared page's picture. */
export type ShareBox = [left: number, top: number, width: number, height: number];

/** A range of a page's body and the ink it was read from. */
export interface PagePlace {
  /** UTF-16 offsets into the body. */
  start: number;
  end: number;
  box: ShareBox;
  /** The box was located by the look of the ink, not by its words: it may be a line off. */
  isApproximate?: true;
}

export interface PageBody {
  /** LaTeX body without preamble. Plain block structure: paragraphs, headings, lists, displays, floats. */
  body: string;
  packages: PackageUse[];
  /** Preamble lines needed besides packages, e.g. `\newtheorem{theorem}{Theorem}`; identical lines are merged. */
  preamble: string[];
  /** Title block, if the page has one; the assembler turns the first into `\maketitle`. */
  title?: TitleBlock;
  /** Columns and language (babel name), as seen on this page. */
  layout?: { columns?: 1 | 2; language?: string };
  warnings: Warning[];
  /** Offsets into `body`. */
  doubtful: DoubtfulSpan[];
  /** In the order of the body, not overlapping. Absent in pages read before places were stored. */
  places?: PagePlace[];
  /** False when the last line of the page was cut mid-sentence: the assembler joins it to the next page. */
  endsParagraph: boolean;
  /** False when the page begins in mid-sentence. */
  startsParagraph: boolean;
}

/** A page with its 1-based number. Numbers increase but need not be consecutive (failed pages are left out). */
export interface NumberedPage {
  number: number;
  page: PageBody;
}

/** Makes a page of a body alone, complete at both ends. */
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

/** A range of the final LaTeX that came from one page. */
export interface SourcePiece {
  page: number;
  /** UTF-16 offsets into the final LaTeX. */
  start: number;
  end: number;
}
