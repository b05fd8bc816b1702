/** The edits that can be done exactly, without a model: the parser produces them, the applier carries them out. */

export type Side = 'left' | 'right' | 'top' | 'bottom';
export type HeadingLevel = 'section' | 'subsection' | 'subsubsection';

/** A heading by its words, or by its 1-based position among the headings of its level. */
export type HeadingReference =
  | { by: 'words'; words: string }
  | { by: 'number'; level: HeadingLevel; number: number };

export type ExactEdit =
  | { type: 'set-title' | 'set-author' | 'set-date'; text: string }
  | { type: 'add-author'; text: string }
  | { type: 'remove-title' | 'remove-author' | 'remove-date' }
  /** `\date{\today}`. */
  | { type: 'date-today' }
  | { type: 'font-size'; points: 10 | 11 | 12 }
  | {
      type: 'paper';
      option: 'a4paper' | 'a5paper' | 'b5paper' | 'letterpaper' | 'legalpaper' | 'executivepaper';
    }
  | { type: 'class-option'; option: string; instead: readonly string[]; wanted: string }
  | { type: 'document-class'; name: 'article' | 'report' | 'book' | 'scrartcl' }
  | { type: 'margins'; sides: readonly Side[]; length: string }
  | { type: 'line-spacing'; factor: 'single' | 'onehalf' | 'double' }
  | { type: 'section-numbers' | 'page-numbers' | 'equation-numbers'; isOn: boolean }
  | { type: 'numbers-by-section' }
  | { type: 'first-page-number'; number: number }
  | {
      type: 'replace';
      from: string;
      to: string;
      where: 'text' | 'maths' | 'everywhere';
      isFirstOnly: boolean;
      ignoresCase: boolean;
    }
  | { type: 'rename-heading'; heading: HeadingReference; to: string }
  | { type: 'move-heading'; heading: HeadingReference; level: HeadingLevel }
  | { type: 'add-heading'; level: HeadingLevel; words: string; place: HeadingPlace }
  | { type: 'remove-heading'; heading: HeadingReference }
  | { type: 'page-break'; heading: HeadingReference }
  | { type: 'table-of-contents'; isOn: boolean };

export type HeadingPlace =
  | { at: 'start' }
  | { at: 'end' }
  | { at: 'before'; heading: HeadingReference }
  | { at: 'after'; heading: HeadingReference };

export interface EditPlan {
  kind: 'plan';
  edits: ExactEdit[];
}

export interface Refusal {
  kind: 'refusal';
  /** For the user: why, and what can be done instead. */
  message: string;
}

export interface AppliedEdits {
  kind: 'applied';
  latex: string;
  /** What was done, one sentence per edit. */
  description: string;
}
