/** What is shown in place of LaTeX. Each has a name for screen readers; events go to the editor. */
import { type EditorView, WidgetType } from '@codemirror/view';
import katex from 'katex';
import 'katex/dist/katex.min.css';
import { katexOptions, withoutNumbers } from '../extensions/previews/maths-preview.ts';
import { figures } from '../extensions/surroundings.ts';
import type { Shown } from './pieces.ts';
import { mountSet, type SetContent, unmountSet } from './set-view.tsx';

/** Typeset formulas, by their LaTeX and their macros. */
const cache = new Map<string, string | null>();
const maxCached = 2000;

/** HTML of a formula; null for one that KaTeX cannot typeset. */
function setFormula(view: EditorView, tex: string, isDisplay: boolean): string | null {
  const options = katexOptions(view.state, isDisplay);
  const key = `${isDisplay}\n${JSON.stringify(options.macros)}\n${tex}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  let html: string | null;
  try {
    // its name for screen readers is its LaTeX
    html = katex.renderToString(withoutNumbers(tex), { ...options, output: 'html' });
  } catch {
    html = null;
  }
  if (cache.size >= maxCached) cache.clear();
  cache.set(key, html);
  return html;
}

type TextLook = 'plain' | 'marker' | 'dim' | 'head' | 'abstract' | 'chip';

abstract class Widget extends WidgetType {
  override ignoreEvent() {
    return false;
  }
}

class TextWidget extends Widget {
  readonly #text: string;
  readonly #look: TextLook;
  constructor(text: string, look: TextLook) {
    super();
    this.#text = text;
    this.#look = look;
  }
  override eq(other: TextWidget) {
    return this.#text === other.#text && this.#look === other.#look;
  }
  override toDOM() {
    const dom = document.createElement('span');
    dom.className = `cm-v-${this.#look}`;
    dom.textContent = this.#text;
    return dom;
  }
}

export class FormulaWidget extends Widget {
  readonly #tex: string;
  readonly #isDisplay: boolean;
  readonly #lines: number;
  readonly #macros: string;
  /** @param macros the document's, as LaTeX: with others it looks different */
  constructor(tex: string, isDisplay: boolean, lines: number, macros: string) {
    super();
    this.#tex = tex;
    this.#isDisplay = isDisplay;
    this.#lines = lines;
    this.#macros = macros;
  }
  override eq(other: FormulaWidget) {
    return this.#tex === other.#tex && this.#isDisplay === other.#isDisplay && this.#macros === other.#macros;
  }
  override get estimatedHeight() {
    return this.#isDisplay ? 24 + 28 * Math.max(1, this.#lines - 2) : -1;
  }
  override toDOM(view: EditorView) {
    const dom = document.createElement('span');
    const html = setFormula(view, this.#tex, this.#isDisplay);
    dom.className = `cm-v-formula${this.#isDisplay ? ' cm-v-display' : ''}`;
    if (html === null) {
      dom.classList.add('cm-v-unset');
      dom.textContent = this.#tex.trim();
    } else {
      dom.setAttribute('role', 'img');
      dom.setAttribute('aria-label', this.#tex.trim());
      dom.innerHTML = html;
    }
    return dom;
  }
}

export class PreambleWidget extends Widget {
  readonly #lines: number;
  constructor(lines: number) {
    super();
    this.#lines = lines;
  }
  override eq(other: PreambleWidget) {
    return this.#lines === other.#lines;
  }
  override get estimatedHeight() {
    return 44;
  }
  override toDOM(view: EditorView) {
    const dom = document.createElement('div');
    dom.className = 'cm-v-preamble';
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = `Preamble · ${this.#lines} ${this.#lines === 1 ? 'line' : 'lines'}`;
    button.title = 'Show the preamble';
    button.addEventListener('click', () => {
      view.dispatch({ selection: { anchor: 0 }, scrollIntoView: true });
      view.focus();
    });
    dom.append(button);
    return dom;
  }
  override ignoreEvent() {
    return true;
  }
}

/** Figures, tables and the title, drawn by React. */
export class SetWidget extends Widget {
  readonly #content: SetContent;
  constructor(content: SetContent) {
    super();
    this.#content = content;
  }
  override eq(other: SetWidget) {
    const [a, b] = [this.#content, other.#content];
    return a.kind === b.kind && a.latex === b.latex && a.definitions === b.definitions;
  }
  override get estimatedHeight() {
    return this.#content.kind === 'title' ? 120 : 24 * Math.max(2, this.#content.latex.split('\n').length);
  }
  override toDOM(view: EditorView) {
    const dom = document.createElement('div');
    dom.className = `cm-v-set cm-v-set-${this.#content.kind}`;
    mountSet(dom, this.#content, view.state.facet(figures));
    return dom;
  }
  override destroy(dom: HTMLElement) {
    unmountSet(dom);
  }
}

/** @param definitions the document's macros, as LaTeX */
export function widgetFor(shown: Shown, definitions: string): WidgetType {
  switch (shown.kind) {
    case 'text':
      return new TextWidget(shown.text, shown.look ?? 'plain');
    case 'item':
      return new TextWidget(shown.label, 'marker');
    case 'formula':
      return new FormulaWidget(shown.tex, shown.isDisplay, 3, definitions);
    case 'set':
      return new SetWidget({ kind: 'blocks', latex: shown.latex, definitions });
  }
}
