/** Shortcuts that wrap the selection, or unwrap it again. Each works on all selections at once. */
import { toggleComment } from '@codemirror/commands';
import { EditorSelection, type EditorState, type Extension, type TransactionSpec } from '@codemirror/state';
import { type Command, keymap } from '@codemirror/view';

/** Wraps each selection in `open` and `close`, or removes them if they are already there. */
export function toggleWrap(state: EditorState, open: string, close: string): TransactionSpec {
  return {
    ...state.changeByRange(({ from, to }) => {
      const { doc } = state;
      const isOutside =
        doc.sliceString(from - open.length, from) === open &&
        doc.sliceString(to, to + close.length) === close;
      if (isOutside)
        return {
          changes: [
            { from: from - open.length, to: from },
            { from: to, to: to + close.length },
          ],
          range: EditorSelection.range(from - open.length, to - open.length),
        };
      const text = doc.sliceString(from, to);
      if (text.length >= open.length + close.length && text.startsWith(open) && text.endsWith(close))
        return {
          changes: [
            { from, to: from + open.length },
            { from: to - close.length, to },
          ],
          range: EditorSelection.range(from, to - open.length - close.length),
        };
      return {
        changes: [
          { from, insert: open },
          { from: to, insert: close },
        ],
        range: EditorSelection.range(from + open.length, to + open.length),
      };
    }),
    scrollIntoView: true,
    userEvent: 'input.format',
  };
}

const headings = ['section', 'subsection', 'subsubsection'] as const;
const headingLine = /^(\s*)\\(?:sub)*section\*?\{(.*)\}\s*$/;

/**
 * Turns the cursor's line into a heading of this level (1 to 3), changes another heading to this level, and turns one
 * of this level back into text.
 */
export function toggleHeading(state: EditorState, level: 1 | 2 | 3): TransactionSpec {
  const line = state.doc.lineAt(state.selection.main.head);
  const name = headings[level - 1]!;
  const found = headingLine.exec(line.text);
  const words = found ? found[2]! : line.text.trim();
  const margin = found?.[1] ?? '';
  const isSame = found !== null && new RegExp(`^\\s*\\\\${name}\\*?\\{`).test(line.text);
  const insert = isSame ? margin + words : `${margin}\\${name}{${words}}`;
  return {
    changes: { from: line.from, to: line.to, insert },
    selection: EditorSelection.cursor(line.from + insert.length - (isSame ? 0 : 1)),
    scrollIntoView: true,
    userEvent: 'input.format',
  };
}

/** Turns the selected lines into a list's items. */
export function makeList(state: EditorState, name: 'itemize' | 'enumerate'): TransactionSpec {
  const { from, to } = state.selection.main;
  const first = state.doc.lineAt(from);
  const last = state.doc.lineAt(to);
  const lines = state.doc.sliceString(first.from, last.to).split('\n');
  const items = lines.filter((line) => line.trim() !== '' || lines.length === 1);
  const head = `\\begin{${name}}\n`;
  const body = items.map((line) => `  \\item ${line.trim()}`).join('\n');
  return {
    changes: { from: first.from, to: last.to, insert: `${head}${body}\n\\end{${name}}` },
    selection: EditorSelection.cursor(first.from + head.length + body.length),
    scrollIntoView: true,
    userEvent: 'input.format',
  };
}

const command =
  (make: (state: EditorState) => TransactionSpec): Command =>
  (view) => {
    if (view.state.readOnly) return false;
    view.dispatch(make(view.state));
    return true;
  };

/** Keyed by what they do; shared by the command palette and the shortcuts. */
export const formats = {
  bold: command((state) => toggleWrap(state, '\\textbf{', '}')),
  italic: command((state) => toggleWrap(state, '\\textit{', '}')),
  emphasis: command((state) => toggleWrap(state, '\\emph{', '}')),
  underline: command((state) => toggleWrap(state, '\\underline{', '}')),
  typewriter: command((state) => toggleWrap(state, '\\texttt{', '}')),
  math: command((state) => toggleWrap(state, '$', '$')),
  displayMath: command((state) => toggleWrap(state, '\\[\n', '\n\\]')),
  section: command((state) => toggleHeading(state, 1)),
  subsection: command((state) => toggleHeading(state, 2)),
  subsubsection: command((state) => toggleHeading(state, 3)),
  bullets: command((state) => makeList(state, 'itemize')),
  numbers: command((state) => makeList(state, 'enumerate')),
  comment: toggleComment,
} satisfies Record<string, Command>;

export const formatting: Extension = keymap.of([
  { key: 'Mod-b', run: formats.bold, preventDefault: true },
  { key: 'Mod-i', run: formats.italic, preventDefault: true },
  { key: 'Mod-m', run: formats.math, preventDefault: true },
  { key: 'Shift-Mod-m', run: formats.displayMath, preventDefault: true },
  { key: 'Mod-Alt-1', run: formats.section, preventDefault: true },
  { key: 'Mod-Alt-2', run: formats.subsection, preventDefault: true },
  { key: 'Mod-Alt-3', run: formats.subsubsection, preventDefault: true },
  { key: 'Mod-/', run: formats.comment, preventDefault: true },
]);
