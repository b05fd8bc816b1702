/** Looks words up beside the page's own thread: a dictionary is megabytes, and a suggestion thousands of look-ups. */
import { type Dictionary, readDictionary } from './hunspell.ts';
import { dictionaryAddress, type SpellingLanguage } from './languages.ts';

export type SpellingRequest =
  | { id: number; language: SpellingLanguage; kind: 'check'; words: string[] }
  | { id: number; language: SpellingLanguage; kind: 'suggest'; word: string };

/** `words`: of a check those that are unknown, else the suggestions; null when the dictionary cannot be had. */
export interface SpellingAnswer {
  id: number;
  words: string[] | null;
}

const dictionaries = new Map<SpellingLanguage, Promise<Dictionary>>();

function load(language: SpellingLanguage): Promise<Dictionary> {
  let dictionary = dictionaries.get(language);
  if (!dictionary) {
    dictionary = Promise.all(
      (['aff', 'dic'] as const).map(async (part) => {
        const response = await fetch(dictionaryAddress(language, part));
        if (!response.ok) throw new Error(`The dictionary answered ${response.status}`);
        return response.text();
      }),
    ).then(([aff = '', dic = '']) => readDictionary(aff, dic));
    dictionaries.set(language, dictionary);
    // the next word may try again
    dictionary.catch(() => dictionaries.delete(language));
  }
  return dictionary;
}

/** Compounds with hyphens and words with an apostrophe are right when their parts are. */
export function isRight(word: string, { isKnown }: Dictionary): boolean {
  if (isKnown(word)) return true;
  const parts = word.split(/[-’']/).filter((part) => part.length > 1);
  return parts.length > 0 && parts.join('').length < word.length && parts.every(isKnown);
}

async function answer(request: SpellingRequest): Promise<SpellingAnswer> {
  try {
    const dictionary = await load(request.language);
    const words =
      request.kind === 'check'
        ? request.words.filter((word) => !isRight(word, dictionary))
        : dictionary.suggest(request.word);
    return { id: request.id, words };
  } catch {
    return { id: request.id, words: null };
  }
}

// in a test there is no worker round it
if (typeof self !== 'undefined')
  self.onmessage = async ({ data }: MessageEvent<SpellingRequest>) => self.postMessage(await answer(data));
