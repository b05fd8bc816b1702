/** With the cursor in a `\begin{…}` or `\end{…}`, marks the pair, or marks it as unmatched. */
import { type EditorState, type Extension, Prec, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';
import { getStructure, type PlacedMark } from '../../lines/structure.ts';

const pairMark = Decoration.mark({ class: 'cm-matching-environment' });
const aloneMark = Decoration.mark({ class: 'cm-lonely-environment' });

export interface EnvironmentMatch {
  ranges: { from: number; to: number }[];
  hasPartner: boolean;
}

export function findMatch(state: EditorState): EnvironmentMatch | null {
  const { head } = state.selection.main;
  const line = state.doc.lineAt(head);
  const column = head - line.from;
  const isHere = ({ line: number, mark }: PlacedMark) =>
    number === line.number && mark.from <= column && column <= mark.to;
  const range = ({ line: number, mark }: PlacedMark) => {
    const { from } = state.doc.line(number);
    return { from: from + mark.from, to: from + mark.to };
  };
  const structure = getStructure(state);
  const pair = structure.pairsAt.get(line.number)?.find(({ begin, end }) => isHere(begin) || isHere(end));
  if (pair) return { ranges: [range(pair.begin), range(pair.end)], hasPartner: true };
  const alone = structure.open.find(isHere);
  return alone ? { ranges: [range(alone)], hasPartner: false } : null;
}

const field = StateField.define<DecorationSet>({
  create: decorate,
  update: (marks, transaction) =>
    transaction.docChanged || transaction.selection ? decorate(transaction.state) : marks,
  provide: (marks) => EditorView.decorations.from(marks),
});

function decorate(state: EditorState): DecorationSet {
  const match = findMatch(state);
  if (!match) return Decoration.none;
  const mark = match.hasPartner ? pairMark : aloneMark;
  return Decoration.set(
    match.ranges.map(({ from, to }) => mark.range(from, to)),
    true,
  );
}

// outside the colours, so that the frame encloses the whole name
export const matchingEnvironment: Extension = Prec.low(field);
