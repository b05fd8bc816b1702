/**
 * The visual mode: the same text, shown as typeset. It only decorates, and never changes a character. Loaded
 * when it is first switched on.
 */
import { type Extension, Prec } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { askFormula } from '../extensions/ask-formula.ts';
import { findFormula } from '../lines/tokens.ts';
import { blockField, inlineView } from './decorations.ts';
import { fitFormulas } from './fit-formulas.ts';
import { holdWhilePressed, revealed } from './reveal.ts';
import { visualLook } from './visual-look.ts';

/** Up and Down would skip a formula or a figure, so they stop at its nearer end, where its source opens. */
function stepIntoBlock(isDown: boolean) {
  return (view: EditorView): boolean => {
    const { state } = view;
    const { main } = state.selection;
    if (!main.empty || state.selection.ranges.length > 1) return false;
    const target = view.moveVertically(main, isDown);
    const { closed } = state.field(blockField);
    const passed = isDown
      ? closed.find(({ from, to }) => from > main.head && to < target.head)
      : closed.findLast(({ from, to }) => to < main.head && from > target.head);
    const reached = closed.find(({ from, to }) => from <= target.head && target.head <= to);
    const block = passed ?? reached;
    if (!block) return false;
    view.dispatch({ selection: { anchor: isDown ? block.from : block.to }, scrollIntoView: true });
    return true;
  };
}

const doubleClickMs = 600;

/**
 * A double click on a typeset formula opens the visual editor: at the second click its source is under the
 * pointer.
 */
function openOnDoubleClick(): Extension {
  let pressed: { at: number; time: number } | null = null;
  return Prec.highest(
    EditorView.domEventHandlers({
      mousedown(event, view) {
        if (event.detail > 1) return false;
        const formula = (event.target as Element).closest<HTMLElement>('.cm-v-formula');
        pressed = formula && { at: view.posAtDOM(formula), time: event.timeStamp };
        return false;
      },
      dblclick(event, view) {
        if (!pressed || event.timeStamp - pressed.time > doubleClickMs) return false;
        const formula = findFormula(view.state, pressed.at);
        return formula !== null && askFormula(view, formula.from);
      },
    }),
  );
}

export const visual: Extension = [
  // before the extensions that query it
  revealed,
  blockField,
  inlineView,
  fitFormulas,
  openOnDoubleClick(),
  holdWhilePressed,
  Prec.high(
    keymap.of([
      { key: 'ArrowDown', run: stepIntoBlock(true) },
      { key: 'ArrowUp', run: stepIntoBlock(false) },
    ]),
  ),
  EditorView.editorAttributes.of({ class: 'cm-visual' }),
  visualLook,
];
