/** Underlines misspelled words, in visible lines only and after a pause in typing. Off until a language is chosen. */
import type { CompletionContext, CompletionResult } from '@codemirror/autocomplete';
import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  hoverTooltip,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { dictionaryAddress, type SpellingLanguage } from '../spelling/languages.ts';
import type { SpellingAnswer, SpellingRequest } from '../spelling/spelling-worker.ts';
import { listWords } from '../spelling/words.ts';
import { furtherSources } from './completion.ts';
import { ownWords } from './surroundings.ts';

const idleMs = 400;

const setLanguage = StateEffect.define<SpellingLanguage | null>();
const setMarks = StateEffect.define<DecorationSet>();
const misspelled = Decoration.mark({ class: 'cm-misspelled' });

const language = StateField.define<SpellingLanguage | null>({
  create: () => null,
  update: (now, { effects }) =>
    effects.reduce((value, effect) => (effect.is(setLanguage) ? effect.value : value), now),
});

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (now, { changes, effects }) =>
    effects.reduce((value, effect) => (effect.is(setMarks) ? effect.value : value), now.map(changes)),
  provide: (field) => EditorView.decorations.from(field),
});

type Question = { kind: 'check'; words: string[] } | { kind: 'suggest'; word: string };

/** The worker, started with the first request and shared by all editors of the page. */
const speller = (() => {
  let worker: Worker | null = null;
  let last = 0;
  const waiting = new Map<number, (words: string[]) => void>();
  const loading = new Map<SpellingLanguage, Promise<unknown>>();
  const send = (make: (id: number) => SpellingRequest): Promise<string[]> => {
    if (!worker) {
      worker = new Worker(new URL('../spelling/spelling-worker.ts', import.meta.url), { type: 'module' });
      worker.onmessage = ({ data }: MessageEvent<SpellingAnswer>) => {
        waiting.get(data.id)?.(data.words);
        waiting.delete(data.id);
      };
    }
    const id = ++last;
    return new Promise((resolve) => {
      waiting.set(id, resolve);
      worker?.postMessage(make(id));
    });
  };
  const load = (wanted: SpellingLanguage) => {
    let dictionary = loading.get(wanted);
    if (!dictionary) {
      const read = async (part: 'aff' | 'dic') => {
        const response = await fetch(dictionaryAddress(wanted, part));
        if (!response.ok) throw new Error(`The dictionary answered ${response.status}`);
        return response.text();
      };
      dictionary = Promise.all([read('aff'), read('dic')]).then(([aff, dic]) =>
        send((id) => ({ id, language: wanted, kind: 'load', aff, dic })),
      );
      loading.set(wanted, dictionary);
      // the next word may retry
      dictionary.catch(() => loading.delete(wanted));
    }
    return dictionary;
  };
  /** null if the dictionary cannot be loaded. */
  return async (wanted: SpellingLanguage, question: Question): Promise<string[] | null> => {
    try {
      await load(wanted);
    } catch {
      return null;
    }
    return send((id) => ({ ...question, id, language: wanted }));
  };
})();

const check = ViewPlugin.fromClass(
  class {
    #timer: ReturnType<typeof setTimeout> | undefined;
    #known = new Map<string, boolean>();
    #language: SpellingLanguage | null = null;

    update({ view, docChanged, viewportChanged, transactions }: ViewUpdate) {
      const wasSet = transactions.some(({ effects }) => effects.some((effect) => effect.is(setLanguage)));
      if (wasSet) this.#known.clear();
      if (!docChanged && !viewportChanged && !wasSet) return;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => void this.#check(view), idleMs);
    }

    async #check(view: EditorView) {
      const wanted = view.state.field(language);
      this.#language = wanted;
      if (wanted === null) return show(view, Decoration.none);
      const { from, to } = view.viewport;
      const unknown = new Set(listWords(view.state, from, to).map(({ word }) => word));
      const words = [...unknown].filter((word) => !this.#known.has(word));
      if (words.length) {
        const wrong = await speller(wanted, { kind: 'check', words });
        if (!wrong || this.#language !== wanted || !view.dom.isConnected) return;
        for (const word of words) this.#known.set(word, true);
        for (const word of wrong) this.#known.set(word, false);
      }
      const own = view.state.facet(ownWords);
      const { viewport, state } = view;
      const ranges = listWords(state, viewport.from, viewport.to)
        // the word being typed is not wrong yet
        .filter(({ to: end }) => !view.hasFocus || end !== state.selection.main.head)
        .filter(({ word }) => this.#known.get(word) === false && !own.has(word))
        .map(({ from: start, to: end }) => misspelled.range(start, end));
      show(view, Decoration.set(ranges, true));
    }

    destroy() {
      clearTimeout(this.#timer);
      this.#language = null;
    }
  },
);

function show(view: EditorView, set: DecorationSet) {
  const isNothing = set.size === 0 && view.state.field(marks).size === 0;
  if (!isNothing) view.dispatch({ effects: setMarks.of(set) });
}

/** The misspelled word at an offset. */
function findMisspelled(state: EditorState, offset: number): { from: number; to: number } | null {
  let found: { from: number; to: number } | null = null;
  state.field(marks).between(offset, offset, (from, to) => {
    found = { from, to };
  });
  return found;
}

const suggestionsFor = async (state: EditorState, word: string) => {
  const wanted = state.field(language);
  return (wanted && (await speller(wanted, { kind: 'suggest', word }))) || [];
};

/** Ctrl+Space on a misspelled word: the same suggestions by keyboard. */
async function completeSpelling(context: CompletionContext): Promise<CompletionResult | null> {
  const place = context.explicit ? findMisspelled(context.state, context.pos) : null;
  if (!place) return null;
  const word = context.state.sliceDoc(place.from, place.to);
  const suggestions = await suggestionsFor(context.state, word);
  const keep = {
    label: `Keep “${word}”`,
    apply: (view: EditorView) => keepWord(view, word),
  };
  return {
    ...place,
    filter: false,
    options: [...suggestions.map((label) => ({ label, detail: 'spelling' })), keep],
  };
}

function keepWord(view: EditorView, word: string) {
  view.state.facet(ownWords).add(word);
  chooseLanguage(view, view.state.field(language));
}

const hover = hoverTooltip(async (view, at) => {
  const place = findMisspelled(view.state, at);
  if (!place) return null;
  const word = view.state.sliceDoc(place.from, place.to);
  const suggestions = await suggestionsFor(view.state, word);
  return {
    pos: place.from,
    end: place.to,
    above: false,
    create: () => {
      const dom = document.createElement('div');
      dom.className = 'cm-spelling';
      const add = (label: string, act: () => void) => {
        const button = document.createElement('button');
        button.type = 'button';
        button.textContent = label;
        button.onclick = () => {
          act();
          view.focus();
        };
        dom.append(button);
      };
      for (const suggestion of suggestions)
        add(suggestion, () =>
          view.dispatch({ changes: { ...place, insert: suggestion }, userEvent: 'input.complete' }),
        );
      add(`Keep “${word}”`, () => keepWord(view, word));
      return { dom };
    },
  };
});

export const spelling: Extension = [
  language,
  marks,
  check,
  hover,
  furtherSources.of(completeSpelling),
  EditorView.baseTheme({
    '.cm-spelling': { display: 'flex', flexDirection: 'column', padding: '0.25rem' },
    '.cm-spelling button': {
      padding: '0.25rem 0.625rem',
      borderRadius: '0.375rem',
      textAlign: 'left',
      fontSize: '0.8125rem',
      color: 'var(--ink)',
    },
    '.cm-spelling button:hover': { backgroundColor: 'var(--wash)' },
    '.cm-spelling button:last-child': { color: 'var(--graphite)' },
  }),
];

/** null: off. */
export function chooseLanguage(view: EditorView, wanted: SpellingLanguage | null): void {
  view.dispatch({ effects: setLanguage.of(wanted) });
}
