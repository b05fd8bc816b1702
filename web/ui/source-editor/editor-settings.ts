/** How somebody likes to edit; kept in this browser. */
import { useSyncExternalStore } from 'react';
import type { KeyMode } from './extensions/keys.ts';
import type { OwnWords } from './extensions/spelling.ts';
import { type EditorTheme, type TextSize, textSizes } from './extensions/themes.ts';
import { type SpellingLanguage, spellingLanguages } from './spelling/languages.ts';

export interface EditorSettings {
  keys: KeyMode;
  theme: EditorTheme;
  size: TextSize;
  /** null: off. */
  spelling: SpellingLanguage | null;
  /** Right whatever a dictionary says. */
  words: readonly string[];
}

const storageKey = 'inkproof.editor';
const initial: EditorSettings = {
  keys: 'standard',
  theme: 'site',
  size: 'normal',
  spelling: null,
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
    // storage is forbidden: it holds for this page
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

/** What an older version, or a hand, has left there counts only as far as it is known. */
function read(): EditorSettings {
  try {
    const kept = JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Partial<EditorSettings>;
    return {
      keys: kept.keys === 'vim' || kept.keys === 'emacs' ? kept.keys : 'standard',
      theme:
        (['light', 'dark', 'parchment', 'blackboard'] as const).find((name) => name === kept.theme) ?? 'site',
      size: textSizes.find((name) => name === kept.size) ?? 'normal',
      spelling: kept.spelling && Object.hasOwn(spellingLanguages, kept.spelling) ? kept.spelling : null,
      words: Array.isArray(kept.words) ? kept.words.filter((word) => typeof word === 'string') : [],
    };
  } catch {
    return initial;
  }
}
