/**
 * An unsaved text, the text that it was derived from and a save without an answer differ by what was typed: all three
 * are stored as differences to one text, which is stored once.
 */
import { findDifference } from '#latex/edits/text-difference.ts';
import type { KnownText, SaveAttempt, UnsavedText } from '../saving/text-keeper.ts';

/** Of the stored text, `[start, end)` became `insert`. */
interface Change {
  start: number;
  end: number;
  insert: string;
}

export interface PackedUnsent {
  latex: Change;
  base: Omit<KnownText, 'latex'> & { latex: Change };
  attempt: (Omit<SaveAttempt, 'latex'> & { latex: Change }) | null;
}

export function packUnsent({ latex, base, attempt }: UnsavedText, anchor: string): PackedUnsent {
  const pack = (text: string): Change => {
    const { start, fromEnd, toEnd } = findDifference(anchor, text);
    return { start, end: fromEnd, insert: text.slice(start, toEnd) };
  };
  return {
    latex: pack(latex),
    base: { ...base, latex: pack(base.latex) },
    attempt: attempt && { ...attempt, latex: pack(attempt.latex) },
  };
}

export function unpackUnsent({ latex, base, attempt }: PackedUnsent, anchor: string): UnsavedText {
  const unpack = ({ start, end, insert }: Change) => anchor.slice(0, start) + insert + anchor.slice(end);
  return {
    latex: unpack(latex),
    base: { ...base, latex: unpack(base.latex) },
    attempt: attempt && { ...attempt, latex: unpack(attempt.latex) },
  };
}
