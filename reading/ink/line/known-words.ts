/** Words of the languages whose dictionaries the product carries: a reading that is made of them is the likelier one. */
import { type Dictionary, readDictionary } from '#shared/hunspell.ts';

/** Packages whose licence is MIT, BSD or MPL. */
const packages = {
  en: () => import('dictionary-en'),
  'en-GB': () => import('dictionary-en-gb'),
  fr: () => import('dictionary-fr'),
  es: () => import('dictionary-es'),
};
export type WordLanguage = keyof typeof packages;

/** Words are asked for again and again while a line is read. */
const mostRemembered = 100_000;

/** @returns whether a word is one of a language's; inflected forms included */
export async function loadWords(languages: readonly WordLanguage[]): Promise<(word: string) => boolean> {
  const dictionaries = await Promise.all(languages.map(readPackage));
  const remembered = new Map<string, boolean>();
  return (word) => {
    const known = remembered.get(word);
    if (known !== undefined) return known;
    if (remembered.size >= mostRemembered) remembered.clear();
    const isKnown = dictionaries.some((dictionary) => dictionary.isKnown(word));
    remembered.set(word, isKnown);
    return isKnown;
  };
}

async function readPackage(language: WordLanguage): Promise<Dictionary> {
  const { default: dictionary } = await packages[language]();
  const decode = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
  return readDictionary(decode(dictionary.aff), decode(dictionary.dic));
}
