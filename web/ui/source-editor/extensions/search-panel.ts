/** Find and replace: the query, its range, and the number of matches. The panel's view is `find-panel.tsx`. */
import {
  findNext,
  findPrevious,
  getSearchQuery,
  highlightSelectionMatches,
  openSearchPanel,
  SearchQuery,
  search,
  searchKeymap,
  searchPanelOpen,
  setSearchQuery,
} from '@codemirror/search';
import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import { EditorView, keymap, type Panel, type ViewUpdate } from '@codemirror/view';
import { createElement } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { type FindOptions, FindPanel, type Found } from './find-panel.tsx';

/** Counting stops here: a single letter in a long document has tens of thousands of matches. */
const maxCounted = 999;
/** How long after the last change matches are counted again, in ms. */
const pauseMs = 60;

interface Stretch {
  from: number;
  to: number;
}

const setScope = StateEffect.define<Stretch | null>();
const requestReplace = StateEffect.define<null>();

/** How often replacing was requested. */
const replaceRequests = StateField.define<number>({
  create: () => 0,
  update: (count, { effects }) => count + effects.filter((effect) => effect.is(requestReplace)).length,
});

/** The only range that is searched; it moves with edits. null: the whole text. */
const searchScope = StateField.define<Stretch | null>({
  create: () => null,
  update(scope, { changes, effects }) {
    for (const effect of effects) if (effect.is(setScope)) return effect.value;
    return scope && { from: changes.mapPos(scope.from, -1), to: changes.mapPos(scope.to, 1) };
  },
});

/** Creates the query for the panel's options. */
function createQuery({ search: words, replace, isCase, isWord, isPattern }: FindOptions): SearchQuery {
  return new SearchQuery({
    search: words,
    replace,
    caseSensitive: isCase,
    wholeWord: isWord,
    regexp: isPattern,
    // in LaTeX a backslash before n, r or t is a command and not a line end
    literal: true,
    test: (_, state, from, to) => {
      const scope = state.field(searchScope, false);
      return !scope || (from >= scope.from && to <= scope.to);
    },
  });
}

/** The number of matches, and which of them is selected, from 1; 0 if none is. */
export function countMatches(state: EditorState, query: SearchQuery): Found {
  const found = { current: 0, total: 0, hasMore: false };
  if (!query.valid) return found;
  const { from, to } = state.selection.main;
  const cursor = query.getCursor(state);
  for (let next = cursor.next(); !next.done; next = cursor.next()) {
    if (found.total === maxCounted) return { ...found, hasMore: true };
    found.total++;
    if (next.value.from === from && next.value.to === to) found.current = found.total;
  }
  return found;
}

/** Scrolls to the first match after the cursor. The cursor stays: Enter goes there. */
function showFirst(state: EditorState, query: SearchQuery): StateEffect<unknown>[] {
  if (!query.valid) return [];
  const { from } = state.selection.main;
  let next = query.getCursor(state, from).next();
  if (next.done) next = query.getCursor(state, 0, from).next();
  return next.done ? [] : [EditorView.scrollIntoView(next.value.from, { y: 'nearest', yMargin: 48 })];
}

function createPanel(view: EditorView): Panel {
  const dom = document.createElement('div');
  const root = createRoot(dom);
  let found: Found = { current: 0, total: 0, hasMore: false };

  const render = () => {
    const query = getSearchQuery(view.state);
    root.render(
      createElement(FindPanel, {
        view,
        options: {
          search: query.search,
          replace: query.replace,
          isCase: query.caseSensitive,
          isWord: query.wholeWord,
          isPattern: query.regexp,
        },
        isValid: query.valid,
        found,
        count: () => countMatches(view.state, getSearchQuery(view.state)),
        isInSelection: view.state.field(searchScope) !== null,
        hasSelection: !view.state.selection.main.empty,
        replaceRequests: view.state.field(replaceRequests),
        onChange: (options) => {
          const next = createQuery(options);
          const isOther = options.search !== query.search;
          view.dispatch({
            effects: [setSearchQuery.of(next), ...(isOther ? showFirst(view.state, next) : [])],
          });
        },
        onScope: (isOn) => {
          const { from, to } = view.state.selection.main;
          view.dispatch({ effects: setScope.of(isOn ? { from, to } : null) });
          // set the query again, or earlier marks remain
          view.dispatch({ effects: setSearchQuery.of(createQuery(readOptions(view.state))) });
        },
      }),
    );
  };
  const count = () => {
    found = countMatches(view.state, getSearchQuery(view.state));
    render();
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const countSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(count, pauseMs);
  };
  // CodeMirror looks for the field to focus as soon as it has the panel
  flushSync(render);
  countSoon();
  return {
    dom,
    top: true,
    mount: () => dom.querySelector<HTMLInputElement>('[main-field]')?.select(),
    update: (update: ViewUpdate) => {
      const isNew = update.transactions.some(({ effects }) =>
        effects.some(
          (effect) => effect.is(setSearchQuery) || effect.is(setScope) || effect.is(requestReplace),
        ),
      );
      if (isNew || update.selectionSet) render();
      if (isNew || update.docChanged || update.selectionSet) countSoon();
    },
    destroy: () => {
      clearTimeout(timer);
      // not while React renders the editor's surroundings
      setTimeout(() => root.unmount());
    },
  };
}

function readOptions(state: EditorState): FindOptions {
  const { search: words, replace, caseSensitive, wholeWord, regexp } = getSearchQuery(state);
  return { search: words, replace, isCase: caseSensitive, isWord: wholeWord, isPattern: regexp };
}

/** Opens the panel with the selection as query if it is within one line; an open panel is focused. */
export function openFind(view: EditorView): boolean {
  const before = readOptions(view.state);
  const { from, to } = view.state.selection.main;
  const isInLine = view.state.doc.lineAt(from).to >= to;
  openSearchPanel(view);
  // the field holds one line; an earlier search range no longer applies
  const query = createQuery(isInLine ? readOptions(view.state) : before);
  view.dispatch({ effects: [setScope.of(null), setSearchQuery.of(query)] });
  return true;
}

/** Opens the panel with the replacement field. */
export function openReplace(view: EditorView): boolean {
  openFind(view);
  view.dispatch({ effects: requestReplace.of(null) });
  return true;
}

/** Steps through the matches without the panel too, while there is a query. */
const whileFinding =
  (go: (view: EditorView) => boolean) =>
  (view: EditorView): boolean => {
    if (!searchPanelOpen(view.state) && !getSearchQuery(view.state).valid) return openFind(view);
    return go(view);
  };

export const searchPanel: Extension = [
  searchScope,
  replaceRequests,
  search({ top: true, literal: true, createPanel }),
  highlightSelectionMatches(),
  keymap.of([
    { key: 'Mod-f', run: openFind, scope: 'editor search-panel', preventDefault: true },
    { key: 'Ctrl-h', mac: 'Mod-Alt-f', run: openReplace, scope: 'editor search-panel', preventDefault: true },
    {
      key: 'F3',
      run: whileFinding(findNext),
      shift: whileFinding(findPrevious),
      scope: 'editor search-panel',
      preventDefault: true,
    },
    ...searchKeymap,
  ]),
];
