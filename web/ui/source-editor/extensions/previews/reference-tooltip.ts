/** What references and citations mean: the tooltips of `reference-preview.ts`. Loaded with the first. */
import { EditorView, type Tooltip, type TooltipView } from '@codemirror/view';
import { findBibliographyItem, findLabel, findUse } from '../../lines/targets.ts';
import { citations } from '../surroundings.ts';
import { drawFormula } from './maths-preview.ts';

interface Preview {
  /** What it is: `Equation`, `Figure`. */
  head: string;
  lines: readonly string[];
  /** In place of lines: a formula. */
  tex?: string;
  /** Where it is in the text. */
  at?: number;
}

function find({ state }: EditorView, kind: string, name: string): Preview {
  if (kind === 'reference') {
    const target = findLabel(state, name);
    if (!target) return { head: 'No such label', lines: [`Nothing is labelled ${name}.`] };
    const { what, text, at } = target;
    return target.kind === 'formula'
      ? { head: what, lines: [], tex: text, at }
      : { head: what, lines: [text], at };
  }
  const item = findBibliographyItem(state, name);
  if (item !== null) return { head: name, lines: [item] };
  const cited = state
    .facet(citations)()
    .find(({ key }) => key === name);
  if (!cited) return { head: 'No such source', lines: [`No bibliography has an entry ${name}.`] };
  return { head: name, lines: cited.entry };
}

function show(view: EditorView, { head, lines, tex, at }: Preview): TooltipView {
  const dom = document.createElement('div');
  dom.className = 'cm-reference-preview';
  const title = document.createElement(at === undefined ? 'div' : 'button');
  title.className = 'cm-reference-title';
  title.textContent = head;
  if (at !== undefined) {
    title.title = 'Go there';
    title.addEventListener('click', () => {
      view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
      view.focus();
    });
  }
  dom.append(title);
  for (const text of lines.filter(Boolean)) {
    const line = document.createElement('div');
    line.textContent = text;
    dom.append(line);
  }
  if (tex === undefined) return { dom };
  const formula = document.createElement('div');
  dom.append(formula);
  return { dom, mount: () => void drawFormula(formula, { tex, isDisplay: true }, view.state) };
}

export function makeReferenceTooltip(view: EditorView, at: number): Tooltip | null {
  const found = findUse(view.state, at);
  if (!found) return null;
  const preview = find(view, found.mark.kind, found.mark.name.trim());
  return { pos: found.from, end: found.to, above: true, create: () => show(view, preview) };
}
