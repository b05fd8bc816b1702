/** The user's editor settings, stored in this browser. */
import { useSyncExternalStore } from 'react';
import type { KeyMode } from './extensions/keys.ts';
import type { OwnWords } from './extensions/surroundings.ts';
import { type EditorTheme, type TextSize, textSizes } from './extensions/themes.ts';
import { type SpellingLanguage, spellingLanguages } from './spelling/languages.ts';
import type { EditorMode } from './visual-mode.ts';

export interface EditorSettings {
  keys: KeyMode;
  /** Whether the text is shown as source or typeset. */
  mode: EditorMode;
  theme: EditorTheme;
  size: TextSize;
  /** null: off. */
  spelling: SpellingLanguage | null;
  /** Whether the outline stays open next to the source. */
  outline: 'open' | 'closed';
  /** Words that are always accepted. */
  words: readonly string[];
}

const storageKey = 'inkproof.editor';
const initial: EditorSettings = {
  keys: 'standard',
  mode: 'source',
  theme: 'site',
  size: 'normal',
  spelling: null,
  outline: 'closed',
  words: [],
};
const listeners = new Set<() => void>();
let current: EditorSettings | null = null;

export function getSettings(): EditorSettings {
  current ??= read();
  return current;
}

export function changeSettings(change: Partial<EditorSettings>): void {
  current = { ...getSettings(), ...change };
  try {
    localStorage.setItem(storageKey, JSON.stringify(current));
  } catch {
    // storage is blocked: the settings last as long as the page
  }
  for (const listener of listeners) listener();
}

export function useSettings(): EditorSettings {
  return useSyncExternalStore(subscribe, getSettings, () => initial);
}

export const keptWords: OwnWords = {
  has: (word) => getSettings().words.includes(word),
  add: (word) => changeSettings({ words: [...new Set([...getSettings().words, word])] }),
};

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Values stored by an older version, or by hand, are used only if they are valid. */
function read(): EditorSettings {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Partial<EditorSettings>;
    return {
      keys: stored.keys === 'vim' || stored.keys === 'emacs' ? stored.keys : 'standard',
      mode: stored.mode === 'visual' ? 'visual' : 'source',
      theme:
        (['light', 'dark', 'parchment', 'blackboard'] as const).find((name) => name === stored.theme) ??
        'site',
      size: textSizes.find((name) => name === stored.size) ?? 'normal',
      spelling: stored.spelling && Object.hasOwn(spellingLanguages, stored.spelling) ? stored.spelling : null,
      outline: stored.outline === 'open' ? 'open' : 'closed',
      words: Array.isArray(stored.words) ? stored.words.filter((word) => typeof word === 'string') : [],
    };
  } catch {
    return initial;
  }
}
