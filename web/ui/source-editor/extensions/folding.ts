/** Folding: environments from their `\begin` line, sections from their heading. */
import { codeFolding, foldGutter, foldKeymap, foldService } from '@codemirror/language';
import type { EditorState, Extension } from '@codemirror/state';
import { keymap } from '@codemirror/view';
import { getStructure } from '../lines/structure.ts';

/** The range that folds at a line: from the line's end to the end of the last line that belongs to it. */
export function findFold(state: EditorState, lineNumber: number): { from: number; to: number } | null {
  const { doc } = state;
  const structure = getStructure(state);
  const from = doc.line(lineNumber).to;
  const heading = structure.headingAt.get(lineNumber);
  if (heading) {
    let last = heading.lastLine;
    while (last > lineNumber && doc.line(last).text.trim() === '') last--;
    return last > lineNumber ? { from, to: doc.line(last).to } : null;
  }
  // the outermost environment that begins here; its \end stays visible
  const pairs = structure.pairsAt.get(lineNumber) ?? [];
  const ends = pairs.filter(({ begin }) => begin.line === lineNumber).map(({ end }) => end.line);
  const last = Math.max(0, ...ends) - 1;
  return last > lineNumber ? { from, to: doc.line(last).to } : null;
}

export const folding: Extension = [
  foldService.of((state, lineStart) => findFold(state, state.doc.lineAt(lineStart).number)),
  codeFolding({ placeholderText: '…' }),
  foldGutter({
    markerDOM: (isOpen) => {
      const marker = document.createElement('span');
      marker.className = 'cm-fold-marker';
      marker.textContent = isOpen ? '⌄' : '›';
      marker.title = isOpen ? 'Fold' : 'Unfold';
      return marker;
    },
  }),
  keymap.of(foldKeymap),
];
