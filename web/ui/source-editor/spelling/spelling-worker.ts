/** Checks words off the main thread: a dictionary has megabytes, and a suggestion takes thousands of look-ups. */
import { type Dictionary, readDictionary } from '#shared/hunspell.ts';
import type { SpellingLanguage } from './languages.ts';

/** `load` comes before the first request: our pages' policy does not let a worker fetch. */
export type SpellingRequest =
  | { id: number; language: SpellingLanguage; kind: 'load'; aff: string; dic: string }
  | { id: number; language: SpellingLanguage; kind: 'check'; words: string[] }
  | { id: number; language: SpellingLanguage; kind: 'suggest'; word: string };

/** `words`: the unknown words of a check, or the suggestions. */
export interface SpellingAnswer {
  id: number;
  words: string[];
}

const dictionaries = new Map<SpellingLanguage, Dictionary>();

/** Compounds with hyphens and words with an apostrophe are right if their parts are. */
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

// in a test there is no worker around it
if (typeof self !== 'undefined')
  self.onmessage = ({ data }: MessageEvent<SpellingRequest>) => self.postMessage(answer(data));
