/** A rule: the message it matches, what that means, what to do about it, and the edits that may do it. */
import type { SourceText } from '../source/source-text.ts';

/** One message as TeX reported it, with the context TeX showed. */
export interface Complaint {
  message: string;
  /** The line of the document that TeX names, 1-based. */
  line: number | null;
  /** The part of that line that TeX had read. */
  before: string;
  /** What TeX had read when it stopped, also inside a macro's definition: the culprit is usually its last token. */
  breakPoint: string;
  /** The source line around the error. */
  context: string;
  /** The text TeX was reading when it noticed ("Runaway argument?"). */
  runaway: string;
  /** The line at which the message is finally shown. */
  shownLine: number | null;
}

export interface Advice {
  explanation?: string;
  suggestion?: string;
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

/** Edits that may make a message disappear, likeliest first; they are tried before anybody sees them. */
export type Fixer = (
  complaint: Complaint,
  source: SourceText,
  match: RegExpExecArray,
) => Proposal | readonly Proposal[] | null;

export interface LogRule {
  pattern: RegExp;
  fixes?: readonly Fixer[];
  advise: (match: RegExpExecArray, complaint: Complaint) => Advice;
}

/** The same words for every match of the message. */
export const say = (explanation: string, suggestion?: string): (() => Advice) => {
  const advice: Advice = suggestion ? { explanation, suggestion } : { explanation };
  return () => advice;
};

/** The command at the end of a text, without its backslash. */
export const lastCommand = (text: string): string | null =>
  /\\([A-Za-z@]+)\*?[\s{[(]*$/.exec(text)?.[1] ?? null;
