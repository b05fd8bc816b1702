/** A preview of the formula under the pointer, or around the cursor. KaTeX is loaded with the first one. */

import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import {
  EditorView,
  hoverTooltip,
  showTooltip,
  type Tooltip,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { withoutLabels } from '#latex/source/read-commands.ts';
import { getStructure } from '../../lines/structure.ts';
import { type Formula, findFormula } from '../../lines/tokens.ts';
import { askFormula } from '../ask-formula.ts';

const idleMs = 150;

const show = StateEffect.define<Formula | null>();

const field = StateField.define<{ formula: Formula; tooltip: Tooltip } | null>({
  create: () => null,
  update(shown, transaction) {
    for (const effect of transaction.effects)
      if (effect.is(show))
        return effect.value && { formula: effect.value, tooltip: makeTooltip(effect.value) };
    // while typing, keep the picture, and redraw it after a pause
    return shown;
  },
  provide: (shown) => showTooltip.from(shown, (value) => value?.tooltip ?? null),
});

function makeTooltip(formula: Formula): Tooltip {
  return {
    pos: formula.from,
    above: true,
    create: (view) => {
      const dom = document.createElement('div');
      dom.className = 'cm-maths-preview';
      dom.setAttribute('aria-hidden', 'true');
      if (!view.state.readOnly) {
        dom.title = 'Edit visually';
        dom.addEventListener('click', () => askFormula(view, formula.from));
      }
      return { dom, mount: () => void drawFormula(dom, formula, view.state) };
    },
  };
}

/** A preview does not know the formula's number. */
export const withoutNumbers = (tex: string) =>
  withoutLabels(tex).replace(/\\(begin|end)\{(equation|align|alignat|gather)\}/g, '\\$1{$2*}');

/** For an untrusted formula: no links, no images, no endless macros. */
export const katexOptions = (state: EditorState, isDisplay: boolean) => ({
  displayMode: isDisplay,
  throwOnError: true,
  trust: false,
  strict: false,
  maxExpand: 500,
  macros: Object.fromEntries(
    getStructure(state)
      .macros.filter(({ body }) => body !== '')
      .map(({ name, body }) => [`\\${name}`, body]),
  ),
});

/** Draws an untrusted formula. Removes `dom` if that fails. */
export async function drawFormula(
  dom: HTMLElement,
  { tex, isDisplay }: Pick<Formula, 'tex' | 'isDisplay'>,
  state: EditorState,
): Promise<void> {
  const loaded = await Promise.all([import('katex'), import('katex/dist/katex.min.css')]).catch(() => null);
  if (loaded === null) {
    // offline
    dom.remove();
    return;
  }
  const [{ default: katex }] = loaded;
  try {
    katex.render(withoutNumbers(tex), dom, katexOptions(state, isDisplay));
  } catch {
    // unfinished, or from a package that KaTeX does not know: the compiled page shows it
    dom.remove();
  }
}

const follow = ViewPlugin.fromClass(
  class {
    #timer: ReturnType<typeof setTimeout> | undefined;
    update({ view, docChanged, selectionSet, focusChanged }: ViewUpdate) {
      if (!docChanged && !selectionSet && !focusChanged) return;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => {
        const { state } = view;
        const { main } = state.selection;
        const formula = view.hasFocus && main.empty ? findFormula(state, main.head) : null;
        const shown = state.field(field)?.formula ?? null;
        const isSame = formula?.tex === shown?.tex && formula?.from === shown?.from;
        if (!isSame) view.dispatch({ effects: show.of(formula) });
      }, idleMs);
    }
    destroy() {
      clearTimeout(this.#timer);
    }
  },
);

const hover = hoverTooltip((view, at) => {
  const formula = findFormula(view.state, at);
  // the formula at the cursor is already shown
  if (!formula || view.state.field(field)?.formula.from === formula.from) return null;
  return makeTooltip(formula);
});

export const mathsPreview: Extension = [
  field,
  follow,
  hover,
  EditorView.baseTheme({
    '.cm-tooltip.cm-maths-preview': {
      padding: '0.375rem 0.75rem',
      maxWidth: 'min(40rem, 90vw)',
      maxHeight: '14rem',
      overflow: 'auto',
      fontSize: '1rem',
      color: 'var(--ink)',
      cursor: 'pointer',
    },
    '.cm-tooltip.cm-maths-preview:empty': { display: 'none' },
    '.cm-maths-preview .katex-display': { margin: '0.25rem 0' },
  }),
];
