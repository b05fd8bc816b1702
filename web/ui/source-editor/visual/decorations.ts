/** Pieces and blocks as CodeMirror's decorations: blocks for the whole text, pieces for the visible part. */
import { type EditorState, type Range, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { getLineIndex } from '../lines/line-index.ts';
import { getStructure, type Structure } from '../lines/structure.ts';
import type { Piece, Span } from './pieces.ts';
import { type Block, planBlocks } from './plan-blocks.ts';
import { planInline, type TheoremNames } from './plan-inline.ts';
import { findOpenSpans, nameSpan, revealed, touches } from './reveal.ts';
import { stretchAround } from './stretch.ts';
import { FormulaWidget, PreambleWidget, SetWidget, widgetFor } from './widgets.ts';

interface Blocks {
  list: readonly Block[];
  /** Those that are not shown as source. */
  closed: readonly Block[];
  decorations: DecorationSet;
}

export const blockField = StateField.define<Blocks>({
  create: (state) => decorateBlocks(state, listBlocks(state)),
  update(value, { docChanged, state, startState }) {
    const isMoved = state.field(revealed).points !== startState.field(revealed, false)?.points;
    if (!docChanged && !isMoved) return value;
    const list = docChanged ? listBlocks(state) : value.list;
    const { points } = state.field(revealed);
    // most movements open and close nothing
    const isSame =
      !docChanged &&
      list.filter((block) => !touches(block, points)).every((block, at) => block === value.closed[at]) &&
      value.closed.every((block) => !touches(block, points));
    return isSame ? value : decorateBlocks(state, list);
  },
  provide: (field) => EditorView.decorations.from(field, ({ decorations }) => decorations),
});

const listBlocks = (state: EditorState) => planBlocks(state.doc, getLineIndex(state), getStructure(state));

function decorateBlocks(state: EditorState, list: readonly Block[]): Blocks {
  const { points } = state.field(revealed);
  const closed = list.filter((block) => !touches(block, points));
  const definitions = definitionsOf(state);
  const ranges = closed.map((block) =>
    Decoration.replace({ widget: widgetOf(state, block, definitions), block: block.isWhole }).range(
      block.from,
      block.to,
    ),
  );
  return { list, closed, decorations: Decoration.set(ranges) };
}

function widgetOf(state: EditorState, block: Block, definitions: string) {
  if (block.kind === 'preamble') return new PreambleWidget(block.lines);
  if (block.kind === 'title')
    return new SetWidget({ kind: 'title', latex: readPreamble(state), definitions });
  if (block.kind === 'formula')
    return new FormulaWidget(block.tex, block.isDisplay, block.lines, definitions);
  return new SetWidget({ kind: 'blocks', latex: state.sliceDoc(block.from, block.to), definitions });
}

const known = new WeakMap<Structure, string>();

/** The document's macros, as LaTeX: typeset parts use them. */
function definitionsOf(state: EditorState): string {
  const structure = getStructure(state);
  let definitions = known.get(structure);
  if (definitions === undefined) {
    definitions = structure.macros
      .filter(({ body }) => body !== '')
      .map(({ name, count, body }) => `\\newcommand{\\${name}}${count ? `[${count}]` : ''}{${body}}\n`)
      .join('');
    known.set(structure, definitions);
  }
  return definitions;
}

/** The title's parts are near the start. */
const longestPreamble = 20_000;

function readPreamble(state: EditorState): string {
  const line = getStructure(state).body.begin?.line ?? 0;
  return line > 0 ? state.sliceDoc(0, Math.min(state.doc.line(line).from, longestPreamble)) : '';
}

/** A stretch of the text around what is visible, and its pieces in the document's offsets. */
interface Planned {
  from: number;
  to: number;
  pieces: Piece[];
}

class InlineView {
  decorations: DecorationSet;
  #planned: Planned[];

  constructor(view: EditorView) {
    this.#planned = planRanges(view.state, view.visibleRanges);
    this.decorations = this.#decorate(view);
  }

  update({ view, state, startState, docChanged, viewportChanged }: ViewUpdate) {
    const isOpened = state.field(blockField).closed !== startState.field(blockField, false)?.closed;
    if (docChanged || viewportChanged || isOpened) this.#planned = planRanges(state, view.visibleRanges);
    else if (state.field(revealed).points === startState.field(revealed, false)?.points) return;
    this.decorations = this.#decorate(view);
  }

  #decorate({ state }: EditorView): DecorationSet {
    const { points } = state.field(revealed);
    const definitions = definitionsOf(state);
    const ranges: Range<Decoration>[] = [];
    for (const { from, to, pieces } of this.#planned) {
      const here = points.filter((at) => at >= from && at <= to);
      const open = here.length > 0 ? findOpenSpans(pieces, here) : null;
      for (const piece of pieces) {
        if ('span' in piece && piece.span && open?.has(nameSpan(piece.span))) continue;
        ranges.push(decorate(piece, definitions));
      }
    }
    return Decoration.set(ranges, true);
  }
}

export const inlineView = ViewPlugin.fromClass(InlineView, { decorations: (plugin) => plugin.decorations });

const hidden = Decoration.replace({});
const looks = new Map<string, Decoration>();
const lineLooks = new Map<string, Decoration>();

function look(known: Map<string, Decoration>, name: string, make: (spec: { class: string }) => Decoration) {
  let found = known.get(name);
  if (!found) {
    found = make({ class: `cm-v-${name}` });
    known.set(name, found);
  }
  return found;
}

function decorate(piece: Piece, definitions: string): Range<Decoration> {
  switch (piece.kind) {
    case 'line':
      return look(lineLooks, piece.look, Decoration.line).range(piece.from);
    case 'mark':
      return look(looks, piece.look, Decoration.mark).range(piece.from, piece.to);
    case 'hide':
      return hidden.range(piece.from, piece.to);
    case 'show':
      return Decoration.replace({ widget: widgetFor(piece.shown, definitions) }).range(piece.from, piece.to);
  }
}

export function planRanges(state: EditorState, ranges: readonly Span[]): Planned[] {
  const planned: Planned[] = [];
  const names = theoremNames(state);
  let done = getStructure(state).body.begin?.line ?? 0;
  for (const range of ranges) {
    const stretch = stretchAround(state, range, done);
    if (!stretch) continue;
    const { first, last } = stretch;
    const from = state.doc.line(first).from;
    const to = state.doc.line(last).to;
    planned.push({ from, to, pieces: move(planInline(state.sliceDoc(from, to), names), from) });
    done = last;
  }
  return planned;
}

function theoremNames(state: EditorState): TheoremNames {
  const { environments } = getStructure(state);
  return new Map(environments.map((name) => [name, name.charAt(0).toUpperCase() + name.slice(1)]));
}

function move(pieces: Piece[], by: number): Piece[] {
  for (const piece of pieces) {
    piece.from += by;
    if ('to' in piece) piece.to += by;
    if ('span' in piece && piece.span) piece.span = { from: piece.span.from + by, to: piece.span.to + by };
  }
  return pieces;
}
