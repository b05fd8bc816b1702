/** Syntax highlighting of the visible lines only, each scanned from its entry state in the index. */
import { type Extension, RangeSetBuilder } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  type EditorView,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { getLineIndex } from '../lines/line-index.ts';
import { scanLine, type TokenKind } from '../lines/scan-line.ts';

const marks = Object.fromEntries(
  (
    [
      'command',
      'heading',
      'environment',
      'delimiter',
      'math',
      'math-command',
      'argument',
      'brace',
      'special',
      'comment',
      'verbatim',
    ] satisfies TokenKind[]
  ).map((kind) => [kind, Decoration.mark({ class: `tok-${kind}` })]),
);

export const highlight: Extension = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;
    constructor(view: EditorView) {
      this.decorations = colour(view);
    }
    update(update: ViewUpdate) {
      if (update.docChanged || update.viewportChanged) this.decorations = colour(update.view);
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

function colour({ state, visibleRanges }: EditorView): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>();
  const { lines } = getLineIndex(state);
  let last = 0;
  for (const range of visibleRanges) {
    for (let at = range.from; at <= range.to; ) {
      const line = state.doc.lineAt(at);
      // a folded range ends in the middle of a line that the previous range began
      if (line.number > last)
        scanLine(line.text, lines[line.number - 1]!.entry, (kind, from, to) => {
          const mark = marks[kind];
          if (mark) builder.add(line.from + from, line.from + to, mark);
        });
      last = line.number;
      at = line.to + 1;
    }
  }
  return builder.finish();
}
