/** Every line of the document, scanned; an edit rescans only what it changes. */
import { type EditorState, StateField, type Text, type Transaction } from '@codemirror/state';
import { enterLine, type LineState, type Mark, type ScannedLine, scanLine } from './scan-line.ts';

export interface LineIndex {
  /** One per line of the document; index 0 is line 1. */
  readonly lines: readonly ScannedLine[];
  /** The same object until an edit changes what is derived from the marks of all lines (structure.ts). */
  readonly outline: object;
}

export const lineIndex = StateField.define<LineIndex>({
  create: ({ doc }) => ({ lines: scanAll(doc), outline: {} }),
  update: (index, transaction) => (transaction.docChanged ? scanChanged(index, transaction) : index),
});

export function getLineIndex(state: EditorState): LineIndex {
  return state.field(lineIndex);
}

/** All lines of a text that is in no editor. */
export function scanAll(doc: Text): ScannedLine[] {
  const lines: ScannedLine[] = [];
  let entry: LineState = '';
  for (const text of doc.iterLines()) {
    const line = scanLine(text, entry);
    lines.push(line);
    entry = line.exit;
  }
  return lines;
}

function scanChanged(
  { lines: before, outline }: LineIndex,
  { changes, startState, newDoc }: Transaction,
): LineIndex {
  // line ranges, before and after, that an edit touches; adjacent ones are merged
  const stretches: { fromA: number; toA: number; fromB: number; toB: number }[] = [];
  changes.iterChangedRanges((fromA, toA, fromB, toB) => {
    const stretch = {
      fromA: startState.doc.lineAt(fromA).number - 1,
      toA: startState.doc.lineAt(toA).number,
      fromB: newDoc.lineAt(fromB).number - 1,
      toB: newDoc.lineAt(toB).number,
    };
    const last = stretches[stretches.length - 1];
    if (last && stretch.fromA < last.toA) {
      last.toA = stretch.toA;
      last.toB = stretch.toB;
    } else stretches.push(stretch);
  });
  const parts: (ScannedLine | null)[][] = [];
  let copied = 0;
  for (const { fromA, toA, fromB, toB } of stretches) {
    parts.push(before.slice(copied, fromA), new Array<null>(toB - fromB).fill(null));
    copied = toA;
  }
  parts.push(before.slice(copied));
  const lines = ([] as (ScannedLine | null)[]).concat(...parts);
  let isSameOutline = stretches.every(({ fromA, toA, fromB, toB }) => fromA === fromB && toA === toB);
  for (const { fromB } of stretches) {
    let at = fromB;
    let entry: LineState = at === 0 ? '' : lines[at - 1]!.exit;
    const texts = newDoc.iterLines(at + 1);
    for (; at < lines.length; at++) {
      const known = lines[at];
      const text = texts.next().value;
      if (known && known.entry === enterLine(text, entry)) break;
      const line = scanLine(text, entry);
      lines[at] = line;
      entry = line.exit;
      isSameOutline &&= isSameInOutline(before[at]!.marks, line.marks);
    }
  }
  return { lines: lines as ScannedLine[], outline: isSameOutline ? outline : {} };
}

/** Where a reference or a citation stands matters to its own line only, and so does where a label does. */
function isSameInOutline(before: readonly Mark[], now: readonly Mark[]): boolean {
  const [one, other] = [before, now].map((marks) =>
    marks.filter(({ kind }) => kind !== 'reference' && kind !== 'citation'),
  ) as [Mark[], Mark[]];
  return (
    one.length === other.length &&
    one.every((mark, at) => {
      const { kind, name, count, body, from, to } = other[at]!;
      const isSame = mark.kind === kind && mark.name === name && mark.count === count && mark.body === body;
      return isSame && ((kind !== 'begin' && kind !== 'end') || (mark.from === from && mark.to === to));
    })
  );
}
