/** A text of which only a range may change. Every change goes through here, so that nothing else can. */
import { isDocument } from '#latex/source/read-commands.ts';
import type { WrittenChange } from './read-answer.ts';

export interface ScopedText {
  latex: string;
  /** In UTF-16 units; null: the whole text. */
  selection: { from: number; to: number } | null;
}

export function insideOf({ latex, selection }: ScopedText): string {
  return selection ? latex.slice(selection.from, selection.to) : latex;
}

/** The same scope, with its content replaced. */
export function withInside({ latex, selection }: ScopedText, inside: string): ScopedText {
  if (!selection) return { latex: inside, selection: null };
  return {
    latex: latex.slice(0, selection.from) + inside + latex.slice(selection.to),
    selection: { from: selection.from, to: selection.from + inside.length },
  };
}

/** Finds the scope in a text that was changed as a whole; null if the change goes beyond it. */
export function keepScope(text: ScopedText, changed: string): ScopedText | null {
  const { latex, selection } = text;
  if (!selection) return { latex: changed, selection: null };
  const before = latex.slice(0, selection.from);
  const after = latex.slice(selection.to);
  const fits =
    changed.length >= before.length + after.length && changed.startsWith(before) && changed.endsWith(after);
  return fits ? withInside(text, changed.slice(before.length, changed.length - after.length)) : null;
}

export type AppliedChange =
  | { kind: 'applied'; text: ScopedText }
  | { kind: 'same' }
  /** Tells the model what was wrong, so that it can do better. */
  | { kind: 'misfit'; problem: string };

/** Applies a written change where it fits exactly, and nowhere else. */
export function applyWritten(
  text: ScopedText,
  change: Exclude<WrittenChange, { kind: 'none' }>,
): AppliedChange {
  if (change.kind === 'broken')
    return { kind: 'misfit', problem: 'The blocks are not complete: each find needs its to.' };
  if (change.kind === 'whole') return applyWhole(text, change.latex);
  let inside = insideOf(text);
  for (const { find, replace } of change.edits) {
    if (find === '') return { kind: 'misfit', problem: 'A find is empty.' };
    const at = inside.indexOf(find);
    const place = text.selection ? 'the selection' : 'the text';
    if (at < 0)
      return { kind: 'misfit', problem: `This is not in ${place}, character by character: ${find}` };
    if (inside.indexOf(find, at + 1) >= 0)
      return {
        kind: 'misfit',
        problem: `This occurs more than once in ${place}; copy more around it: ${find}`,
      };
    inside = inside.slice(0, at) + replace + inside.slice(at + find.length);
  }
  return settle(text, withInside(text, inside));
}

function applyWhole(text: ScopedText, whole: string): AppliedChange {
  if (whole.trim() === '') return { kind: 'misfit', problem: 'The new text is empty.' };
  if (text.selection && isDocument(whole) && !isDocument(insideOf(text))) {
    const scoped = keepScope(text, whole);
    if (!scoped)
      return { kind: 'misfit', problem: 'Only the selection may change; write the new selection alone.' };
    return settle(text, scoped);
  }
  if (!text.selection && isDocument(text.latex) && !isDocument(whole))
    return { kind: 'misfit', problem: 'This is not the whole document.' };
  // a block cannot express the line end at the end of a text
  const ending = /\s*$/.exec(insideOf(text))![0];
  return settle(text, withInside(text, whole.trimEnd() + ending));
}

function settle(before: ScopedText, after: ScopedText): AppliedChange {
  return before.latex === after.latex ? { kind: 'same' } : { kind: 'applied', text: after };
}
