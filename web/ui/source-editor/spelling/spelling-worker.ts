/** Looks words up beside the page's own thread: a dictionary is megabytes, and a suggestion thousands of look-ups. */
import { type Dictionary, readDictionary } from '#shared/hunspell.ts';
import type { SpellingLanguage } from './languages.ts';

/** `load` comes before the first question: our pages' policy lets a worker fetch nothing. */
export type SpellingRequest =
  | { id: number; language: SpellingLanguage; kind: 'load'; aff: string; dic: string }
  | { id: number; language: SpellingLanguage; kind: 'check'; words: string[] }
  | { id: number; language: SpellingLanguage; kind: 'suggest'; word: string };

/** `words`: of a check those that are unknown, of a wish for suggestions these. */
export interface SpellingAnswer {
  id: number;
  words: string[];
}

const dictionaries = new Map<SpellingLanguage, Dictionary>();

/** Compounds with hyphens and words with an apostrophe are right when their parts are. */
export function isRight(word: string, { isKnown }: Dictionary): boolean {
  if (isKnown(word)) return true;
  const parts = word.split(/[-’']/).filter((part) => part.length > 1);
  return parts.length > 0 && parts.join('').length < word.length && parts.every(isKnown);
}

function answer(request: SpellingRequest): SpellingAnswer {
  const { id, language, kind } = request;
  if (kind === 'load') dictionaries.set(language, readDictionary(request.aff, request.dic));
  const dictionary = dictionaries.get(language);
  if (!dictionary || kind === 'load') return { id, words: [] };
  return {
    id,
    words:
      kind === 'check'
        ? request.words.filter((word) => !isRight(word, dictionary))
        : dictionary.suggest(request.word),
  };
}

// in a test there is no worker round it
if (typeof self !== 'undefined')
  self.onmessage = ({ data }: MessageEvent<SpellingRequest>) => self.postMessage(answer(data));
