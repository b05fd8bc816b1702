/** The dictionaries that ship with the product; a reading made of known words is the likelier one. */
import { type Dictionary, readDictionary } from '#shared/hunspell.ts';

/** Packages under MIT, BSD or MPL licences. */
const packages = {
  en: () => import('dictionary-en'),
  'en-GB': () => import('dictionary-en-gb'),
  fr: () => import('dictionary-fr'),
  es: () => import('dictionary-es'),
  pt: () => import('dictionary-pt'),
};
export type WordLanguage = keyof typeof packages;

/** The same words are looked up many times while a line is read. */
const mostRemembered = 100_000;

/** @returns a function that says whether a word, inflected forms included, belongs to the language */
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
