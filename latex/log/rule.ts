/** What a rule is: the message it knows, what that means, what to do about it, and the edits that may do it. */
import type { SourceText } from '../source/source-text.ts';

/** One message as TeX told it, with what TeX showed around it. */
export interface Complaint {
  message: string;
  /** The line of the document that TeX names, 1-based. */
  line: number | null;
  /** The part of that line that TeX had read. */
  before: string;
  /** What TeX had read when it stopped, inside another's definition too: the culprit is usually its last token. */
  breakPoint: string;
  /** The source line around the error. */
  context: string;
  /** The text TeX was swallowing when it noticed ("Runaway argument?"). */
  runaway: string;
  /** The line the message was put at in the end. */
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

/** Edits that may make a message go away, the likeliest first: they are tried before anybody sees them. */
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

/** The same words whatever the message holds. */
export const say = (explanation: string, suggestion?: string): (() => Advice) => {
  const advice: Advice = suggestion ? { explanation, suggestion } : { explanation };
  return () => advice;
};

/** The command that a text ends with, without its backslash. */
export const lastCommand = (text: string): string | null =>
  /\\([A-Za-z@]+)\*?[\s{[(]*$/.exec(text)?.[1] ?? null;
