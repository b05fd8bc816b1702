/** What a rule is told of an error, and what it proposes. */

/** One error as TeX told it, before it was put where the fault is. */
export interface Clue {
  message: string;
  /** The line TeX names, 1-based. */
  line: number | null;
  /** The part of that line that TeX had read. */
  before: string;
  /** The command TeX stopped at, where it shows one inside another's definition. */
  breakPoint: string;
  runaway: string;
  /** The line the message was put at in the end. */
  shownLine: number | null;
}

export interface TextEdit {
  /** Offsets into the source. */
  from: number;
  to: number;
  insert: string;
}

export interface Proposal {
  title: string;
  edits: TextEdit[];
}
