import type { EditorState } from '@codemirror/state';
import { listTokens } from '../lines/tokens.ts';

export interface PlacedWord {
  word: string;
  from: number;
  to: number;
}

/** Words that contain digits, underscores or an @ are names. */
const run = /[\p{L}\p{M}\p{N}_@.’'-]+/gu;
const word = /^\p{L}[\p{L}\p{M}]*(?:[’'-][\p{L}\p{M}]+)*$/u;

/** The words to check between two offsets, extended to whole lines. */
export function listWords(state: EditorState, from: number, to: number): PlacedWord[] {
  const words: PlacedWord[] = [];
  const last = state.doc.lineAt(to).number;
  for (let number = state.doc.lineAt(from).number; number <= last; number++) {
    const tokens = listTokens(state, number);
    tokens.forEach((token, index) => {
      if (token.kind !== 'text') return;
      for (const { 0: found, index: at } of state.sliceDoc(token.from, token.to).matchAll(run)) {
        const trimmed = found.replace(/^[.’'-]+|[.’'-]+$/g, '');
        const start = token.from + at + found.indexOf(trimmed);
        const end = start + trimmed.length;
        if (trimmed.length < 2 || !word.test(trimmed)) continue;
        // a letter with an accent command splits its word
        const isCut =
          (start === token.from && isAccent(state, tokens[index - 1])) ||
          (end === token.to && isAccent(state, tokens[index + 1]));
        if (!isCut) words.push({ word: trimmed, from: start, to: end });
      }
    });
  }
  return words;
}

function isAccent(
  state: EditorState,
  token: { kind: string; from: number; to: number } | undefined,
): boolean {
  return (
    token?.kind === 'command' && /^\\(?:[^A-Za-z\s]|[cvuHkr]$)/.test(state.sliceDoc(token.from, token.to))
  );
}
