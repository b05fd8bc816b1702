/** Keys that change how the text is typeset. */
import { isolateHistory, toggleComment } from '@codemirror/commands';
import { EditorSelection, type EditorState, type Extension, type TransactionSpec } from '@codemirror/state';
import { type Command, keymap } from '@codemirror/view';
import { toggleHeading } from '../edits/headings.ts';
import { toggleStyle } from '../edits/style.ts';
import { askFormula } from './ask-formula.ts';
import { askPad } from './ask-pad.ts';

/** Wraps each selection in `open` and `close`, or removes them if they are there already. */
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

/** An edit as a command: one separate undo step. */
export function command(
  make: (state: EditorState) => TransactionSpec | readonly TransactionSpec[] | null,
): Command {
  return (view) => {
    if (view.state.readOnly) return false;
    const specs = make(view.state);
    if (specs) view.dispatch(...[specs].flat(), { annotations: isolateHistory.of('full') });
    return true;
  };
}

/** Those with keys; `formats` has all of them. */
export const keyedFormats = {
  bold: command((state) => toggleStyle(state, 'bold')),
  italic: command((state) => toggleStyle(state, 'italic')),
  math: command((state) => toggleWrap(state, '$', '$')),
  displayMath: command((state) => toggleWrap(state, '\\[\n', '\n\\]')),
  section: command((state) => toggleHeading(state, 'section')),
  subsection: command((state) => toggleHeading(state, 'subsection')),
  subsubsection: command((state) => toggleHeading(state, 'subsubsection')),
  formula: (view) => askFormula(view),
  pad: (view) => askPad(view),
  comment: toggleComment,
} satisfies Record<string, Command>;

export const formatting: Extension = keymap.of([
  { key: 'Mod-b', run: keyedFormats.bold, preventDefault: true },
  { key: 'Mod-i', run: keyedFormats.italic, preventDefault: true },
  { key: 'Mod-m', run: keyedFormats.math, preventDefault: true },
  { key: 'Shift-Mod-m', run: keyedFormats.displayMath, preventDefault: true },
  { key: 'Mod-Alt-m', run: keyedFormats.formula, preventDefault: true },
  { key: 'Mod-Alt-p', run: keyedFormats.pad, preventDefault: true },
  { key: 'Mod-Alt-1', run: keyedFormats.section, preventDefault: true },
  { key: 'Mod-Alt-2', run: keyedFormats.subsection, preventDefault: true },
  { key: 'Mod-Alt-3', run: keyedFormats.subsubsection, preventDefault: true },
  { key: 'Mod-/', run: keyedFormats.comment, preventDefault: true },
]);
