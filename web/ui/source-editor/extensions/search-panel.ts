/** Find and replace in our design: what is found is counted as it is typed, Enter goes on, Escape closes. */
import {
  closeSearchPanel,
  findNext,
  findPrevious,
  getSearchQuery,
  highlightSelectionMatches,
  replaceAll,
  replaceNext,
  SearchQuery,
  search,
  searchKeymap,
  selectMatches,
  setSearchQuery,
} from '@codemirror/search';
import type { EditorState, Extension } from '@codemirror/state';
import { EditorView, keymap, type Panel, runScopeHandlers, type ViewUpdate } from '@codemirror/view';

/** More are not counted: a single letter in a long document has tens of thousands. */
const mostCounted = 999;

/** How many there are and which of them is selected, from 1; 0 when none of them is. */
export function countMatches(state: EditorState, query: SearchQuery): { current: number; total: number } {
  if (!query.valid) return { current: 0, total: 0 };
  const { from, to } = state.selection.main;
  const cursor = query.getCursor(state);
  let total = 0;
  let current = 0;
  for (let next = cursor.next(); !next.done && total <= mostCounted; next = cursor.next()) {
    total++;
    if (next.value.from === from && next.value.to === to) current = total;
  }
  return { current, total };
}

function say({ current, total }: ReturnType<typeof countMatches>, query: SearchQuery): string {
  if (!query.search) return '';
  if (!query.valid) return 'No pattern';
  if (total === 0) return 'Nothing found';
  const many = total > mostCounted ? `${mostCounted}+` : `${total}`;
  return current ? `${current} of ${many}` : many;
}

function createPanel(view: EditorView): Panel {
  const dom = document.createElement('div');
  dom.className = 'cm-find';
  dom.setAttribute('role', 'search');
  const input = (label: string, isMain: boolean) => {
    const element = document.createElement('input');
    element.type = 'text';
    element.placeholder = label;
    element.setAttribute('aria-label', label);
    element.autocomplete = 'off';
    element.spellcheck = false;
    if (isMain) element.setAttribute('main-field', 'true');
    element.oninput = commit;
    return element;
  };
  const button = (label: string, text: string, act: (view: EditorView) => boolean) => {
    const element = document.createElement('button');
    element.type = 'button';
    element.textContent = text;
    element.title = label;
    element.setAttribute('aria-label', label);
    element.onclick = () => act(view);
    return element;
  };
  const toggle = (label: string, text: string) => {
    const element = button(label, text, () => {
      element.setAttribute('aria-pressed', String(element.getAttribute('aria-pressed') !== 'true'));
      commit();
      return true;
    });
    element.setAttribute('aria-pressed', 'false');
    return element;
  };
  const find = input('Find', true);
  const replace = input('Replace', false);
  const matchCase = toggle('Match case', 'Aa');
  const wholeWord = toggle('Whole words', 'W');
  const pattern = toggle('Pattern', '.*');
  const count = document.createElement('output');
  count.className = 'cm-find-count';
  const isOn = (element: HTMLElement) => element.getAttribute('aria-pressed') === 'true';

  function commit() {
    const query = new SearchQuery({
      search: find.value,
      replace: replace.value,
      caseSensitive: isOn(matchCase),
      wholeWord: isOn(wholeWord),
      regexp: isOn(pattern),
      // in LaTeX a backslash before n, r or t is a command and no line end
      literal: true,
    });
    if (!query.eq(getSearchQuery(view.state))) view.dispatch({ effects: setSearchQuery.of(query) });
  }
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const query = getSearchQuery(view.state);
      count.textContent = say(countMatches(view.state, query), query);
    }, 60);
  };
  const fill = () => {
    const query = getSearchQuery(view.state);
    if (find.value !== query.search) find.value = query.search;
    if (replace.value !== query.replace) replace.value = query.replace;
    matchCase.setAttribute('aria-pressed', String(query.caseSensitive));
    wholeWord.setAttribute('aria-pressed', String(query.wholeWord));
    pattern.setAttribute('aria-pressed', String(query.regexp));
    tell();
  };

  const row = (...children: HTMLElement[]) => {
    const element = document.createElement('div');
    element.append(...children);
    return element;
  };
  dom.append(
    row(
      find,
      matchCase,
      wholeWord,
      pattern,
      count,
      button('Previous', '↑', findPrevious),
      button('Next', '↓', findNext),
      button('Select all', 'All', selectMatches),
      button('Close', '×', closeSearchPanel),
    ),
  );
  if (!view.state.readOnly)
    dom.append(
      row(
        replace,
        button('Replace this one', 'Replace', replaceNext),
        button('Replace all of them', 'Replace all', replaceAll),
      ),
    );
  dom.onkeydown = (event) => {
    if (runScopeHandlers(view, event, 'search-panel')) event.preventDefault();
    else if (event.key === 'Enter' && event.target === find) {
      event.preventDefault();
      (event.shiftKey ? findPrevious : findNext)(view);
    } else if (event.key === 'Enter' && event.target === replace) {
      event.preventDefault();
      replaceNext(view);
    }
  };
  fill();
  return {
    dom,
    top: true,
    mount: () => find.select(),
    update: (update: ViewUpdate) => {
      const isNew = update.transactions.some(({ effects }) =>
        effects.some((effect) => effect.is(setSearchQuery)),
      );
      if (isNew) fill();
      else if (update.docChanged || update.selectionSet) tell();
    },
    destroy: () => clearTimeout(timer),
  };
}

export const searchPanel: Extension = [
  search({ top: true, literal: true, createPanel }),
  highlightSelectionMatches(),
  keymap.of(searchKeymap),
  EditorView.baseTheme({
    '.cm-find': { padding: '0.375rem 0.5rem', fontFamily: 'var(--font-sans-stack)', fontSize: '0.8125rem' },
    '.cm-find > div': { display: 'flex', alignItems: 'center', gap: '0.25rem', flexWrap: 'wrap' },
    '.cm-find > div + div': { marginTop: '0.25rem' },
    '.cm-find input': {
      flex: '1 1 9rem',
      minWidth: '7rem',
      maxWidth: '22rem',
      minHeight: '2rem',
      padding: '0 0.625rem',
      borderRadius: '0.375rem',
      border: '1px solid var(--edge)',
      backgroundColor: 'var(--page)',
      color: 'var(--ink)',
      fontFamily: 'var(--font-mono-stack)',
    },
    '.cm-find button': {
      minHeight: '2rem',
      minWidth: '2rem',
      padding: '0 0.5rem',
      borderRadius: '0.375rem',
      color: 'var(--ink)',
    },
    '@media (pointer: coarse)': {
      '.cm-find button, .cm-find input': { minHeight: '2.5rem', minWidth: '2.5rem' },
    },
    '.cm-find button:hover': { backgroundColor: 'var(--wash)' },
    '.cm-find button[aria-pressed=true]': {
      backgroundColor: 'var(--wash)',
      outline: '1px solid var(--edge)',
    },
    '.cm-find-count': { minWidth: '5.5rem', padding: '0 0.375rem', color: 'var(--graphite)' },
  }),
];
