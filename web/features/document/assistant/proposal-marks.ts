/**
 * Shows a proposed change in the source: the lines to be removed, below them the lines to be added, and two buttons.
 * The text itself is unchanged until a part is accepted. Typing moves the parts; a part whose own text is changed is
 * lost.
 */
import {
  type EditorState,
  type Extension,
  Facet,
  Prec,
  StateEffect,
  StateField,
  type Transaction,
} from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, keymap, WidgetType } from '@codemirror/view';
import { spellOutHidden } from '#latex/source/hidden-characters.ts';
import { type Hunk, type HunkLines, layOutHunk, moveHunks } from './hunks.ts';

export interface ShownProposal {
  hunks: readonly Hunk[];
  /** Parts that no longer fit. */
  lost: readonly Hunk[];
  /** The part that the keyboard shortcuts apply to. */
  current: number | null;
}

const nothing: ShownProposal = { hunks: [], lost: [], current: null };

const show = StateEffect.define<ShownProposal>();
/** Removes decided parts without counting them as lost. */
const drop = StateEffect.define<readonly number[]>();
const choose = StateEffect.define<number>();

const proposal = StateField.define<ShownProposal>({
  create: () => nothing,
  update: (shown, transaction) => applyEffects(moveAlong(shown, transaction), transaction),
  provide: (field) => [
    EditorView.decorations.compute([field, 'doc'], (state) => decorate(state, state.field(field))),
  ],
});

function moveAlong(shown: ShownProposal, { docChanged, changes }: Transaction): ShownProposal {
  if (!docChanged || shown.hunks.length === 0) return shown;
  const moved = moveHunks(shown.hunks, changes);
  return withHunks({ ...shown, lost: [...shown.lost, ...moved.lost] }, moved.hunks);
}

function applyEffects(before: ShownProposal, { effects }: Transaction): ShownProposal {
  let shown = before;
  for (const effect of effects) {
    if (effect.is(show)) shown = effect.value;
    else if (effect.is(drop)) {
      const gone = effect.value;
      shown = withHunks(
        { ...shown, lost: shown.lost.filter(({ id }) => !gone.includes(id)) },
        shown.hunks.filter(({ id }) => !gone.includes(id)),
      );
    } else if (effect.is(choose)) shown = { ...shown, current: effect.value };
  }
  return shown;
}

/** When the current part no longer exists, the next one becomes current. */
function withHunks(shown: ShownProposal, hunks: readonly Hunk[]): ShownProposal {
  const { current } = shown;
  const isThere = current !== null && hunks.some(({ id }) => id === current);
  const next = isThere ? current : (hunks.find(({ id }) => id > (current ?? -1)) ?? hunks[0])?.id;
  return { ...shown, hunks, current: next ?? null };
}

export interface ProposalActions {
  onAccept: (ids: readonly number[]) => void;
  onReject: (ids: readonly number[]) => void;
  /** Called after each editor update that changed the proposal, the text or the selection. */
  onUpdate: () => void;
}

const actionsOf = Facet.define<ProposalActions, ProposalActions | null>({
  combine: ([first]) => first ?? null,
});

class NewLines extends WidgetType {
  readonly hunk: Hunk;
  readonly lines: HunkLines['lines'];
  readonly isCurrent: boolean;
  /** From 1. */
  readonly number: number;
  readonly count: number;

  constructor(shown: Pick<NewLines, 'hunk' | 'lines' | 'isCurrent' | 'number' | 'count'>) {
    super();
    this.hunk = shown.hunk;
    this.lines = shown.lines;
    this.isCurrent = shown.isCurrent;
    this.number = shown.number;
    this.count = shown.count;
  }

  override eq(other: NewLines): boolean {
    return (
      this.hunk.id === other.hunk.id &&
      this.isCurrent === other.isCurrent &&
      this.number === other.number &&
      this.count === other.count &&
      JSON.stringify(this.lines) === JSON.stringify(other.lines)
    );
  }

  override toDOM({ state }: EditorView): HTMLElement {
    const actions = state.facet(actionsOf);
    const place = document.createElement('div');
    place.className = `cm-proposal${this.isCurrent ? ' cm-proposal-current' : ''}`;
    place.setAttribute('role', 'group');
    place.setAttribute('aria-label', `Proposed change ${this.number} of ${this.count}`);
    if (this.lines) {
      const text = document.createElement('ins');
      text.className = 'cm-proposal-lines';
      for (const { text: part, isNew } of this.lines) {
        const span = document.createElement('span');
        if (isNew) span.className = 'cm-proposal-new';
        span.textContent = spellOutHidden(part);
        text.append(span);
      }
      place.append(text);
    }
    const bar = document.createElement('div');
    bar.className = 'cm-proposal-bar';
    bar.append(
      this.#button('Accept', 'accept', () => actions?.onAccept([this.hunk.id])),
      this.#button('Reject', 'reject', () => actions?.onReject([this.hunk.id])),
    );
    place.append(bar);
    return place;
  }

  #button(label: string, kind: string, act: () => void): HTMLButtonElement {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = `cm-proposal-${kind}`;
    button.textContent = label;
    button.setAttribute('aria-label', `${label} change ${this.number} of ${this.count}`);
    // the cursor stays where it is
    button.addEventListener('mousedown', (event) => event.preventDefault());
    button.addEventListener('click', act);
    return button;
  }

  override ignoreEvent(): boolean {
    return true;
  }
}

const oldLine = Decoration.line({ class: 'cm-proposal-old' });
const oldWords = Decoration.mark({ class: 'cm-proposal-gone', tagName: 'del' });

function decorate({ doc }: EditorState, { hunks, current }: ShownProposal): DecorationSet {
  const text = {
    slice: (from: number, to: number) => doc.sliceString(from, to),
    lineAt: (at: number) => doc.lineAt(at),
  };
  const ranges = hunks.flatMap((hunk, index) => {
    const { old, at, side, lines } = layOutHunk(hunk, text);
    const widget = new NewLines({
      hunk,
      lines,
      isCurrent: hunk.id === current,
      number: index + 1,
      count: hunks.length,
    });
    const marks = [
      Decoration.widget({ widget, block: true, side: side === 'before' ? -1 : 1 }).range(at),
      ...hunk.edits.flatMap(({ from, to }) => (from < to ? [oldWords.range(from, to)] : [])),
    ];
    if (old)
      for (let line = doc.lineAt(old.from); ; line = doc.line(line.number + 1)) {
        marks.push(oldLine.range(line.from));
        if (line.to >= old.to || line.number === doc.lines) break;
      }
    return marks;
  });
  return Decoration.set(ranges, true);
}

function step(view: EditorView, by: 1 | -1): boolean {
  const { hunks, current } = readProposal(view);
  if (hunks.length === 0) return false;
  const at = hunks.findIndex(({ id }) => id === current);
  const next = hunks[(at + by + hunks.length) % hunks.length]!;
  goToHunk(view, next.id);
  return true;
}

const keys = keymap.of([
  { key: 'Alt-Enter', run: (view) => decide(view, 'accept') },
  { key: 'Alt-Backspace', run: (view) => decide(view, 'reject') },
  { key: 'Mod-Alt-Enter', run: (view) => decideAll(view, 'accept') },
  { key: 'Mod-Alt-Backspace', run: (view) => decideAll(view, 'reject') },
  { key: 'F7', run: (view) => step(view, 1), shift: (view) => step(view, -1) },
]);

function decide(view: EditorView, kind: 'accept' | 'reject'): boolean {
  const { current } = readProposal(view);
  if (current === null) return false;
  act(view, kind, [current]);
  const next = readProposal(view).current;
  if (next !== null) goToHunk(view, next);
  return true;
}

function decideAll(view: EditorView, kind: 'accept' | 'reject'): boolean {
  const ids = readProposal(view).hunks.map(({ id }) => id);
  if (ids.length === 0) return false;
  act(view, kind, ids);
  return true;
}

function act(view: EditorView, kind: 'accept' | 'reject', ids: readonly number[]): void {
  const actions = view.state.facet(actionsOf);
  if (kind === 'accept') actions?.onAccept(ids);
  else actions?.onReject(ids);
}

const look = EditorView.baseTheme({
  '.cm-proposal-old': { backgroundColor: 'var(--red-wash)' },
  '.cm-proposal-gone': {
    textDecoration: 'line-through',
    textDecorationColor: 'var(--red)',
    textDecorationThickness: '1px',
  },
  '.cm-proposal': {
    borderLeft: '3px solid var(--hairline)',
    backgroundColor: 'var(--green-wash)',
    padding: '0 0 4px 9px',
  },
  '.cm-proposal-current': { borderLeftColor: 'var(--green)' },
  '.cm-proposal-lines': {
    display: 'block',
    whiteSpace: 'break-spaces',
    overflowWrap: 'anywhere',
    textDecoration: 'none',
  },
  '.cm-proposal-new': {
    backgroundColor: 'color-mix(in oklab, var(--green) 22%, transparent)',
    borderRadius: '2px',
  },
  '.cm-proposal-bar': { display: 'flex', gap: '6px', padding: '4px 0 2px' },
  '.cm-proposal-bar button': {
    fontFamily: 'var(--font-sans-stack)',
    fontSize: '0.75rem',
    fontWeight: '500',
    lineHeight: '1rem',
    minHeight: '1.75rem',
    padding: '0 0.625rem',
    borderRadius: '0.375rem',
    border: '1px solid var(--edge)',
    backgroundColor: 'var(--page)',
    color: 'var(--ink)',
  },
  '.cm-proposal-bar .cm-proposal-accept': {
    borderColor: 'var(--green)',
    color: 'var(--green)',
  },
  '@media (pointer: coarse)': { '.cm-proposal-bar button': { minHeight: '2.5rem', padding: '0 0.875rem' } },
});

const extension: Extension = [
  proposal,
  // before all other keys, but only while there is a proposal: Alt-Enter and Alt-Backspace mean other things
  Prec.highest(keys),
  EditorView.updateListener.of((update) => {
    const hasChanged = update.startState.field(proposal, false) !== update.state.field(proposal);
    if (hasChanged || update.docChanged || update.selectionSet) update.state.facet(actionsOf)?.onUpdate();
  }),
  look,
];

/** Lets an editor show proposals; `actions` handles the decisions on them. */
export function preparePlace(view: EditorView, actions: ProposalActions): void {
  if (view.state.field(proposal, false) === undefined)
    view.dispatch({ effects: StateEffect.appendConfig.of([actionsOf.of(actions), extension]) });
}

export function readProposal(view: EditorView): ShownProposal {
  return view.state.field(proposal, false) ?? nothing;
}

/** Shows a proposal without scrolling to it while the user types. */
export function showProposal(view: EditorView, shown: Omit<ShownProposal, 'current'>): void {
  const first = shown.hunks[0];
  view.dispatch({
    effects: [
      show.of({ ...shown, current: first?.id ?? null }),
      ...(first && !view.hasFocus ? [EditorView.scrollIntoView(first.from, { y: 'center' })] : []),
    ],
  });
}

export function dropHunks(view: EditorView, ids: readonly number[]): void {
  view.dispatch({ effects: drop.of(ids) });
}

/** Makes a part the current one: moves the cursor to it and scrolls it into view. */
export function goToHunk(view: EditorView, id: number): void {
  const hunk = readProposal(view).hunks.find((one) => one.id === id);
  if (!hunk) return;
  view.dispatch({
    selection: { anchor: hunk.from },
    effects: [choose.of(id), EditorView.scrollIntoView(hunk.from, { y: 'center' })],
  });
}
