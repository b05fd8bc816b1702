/**
 * Languages whose dictionaries may be redistributed under a permissive licence or the MPL: English (MIT and BSD),
 * French (MPL 2.0), Spanish (its MPL 1.1), Portuguese (its MPL 2.0), Russian (BSD). German and Italian ones are under the GPL alone; Dutch
 * depends on compounds, which our checker does not support.
 */
export const spellingLanguages = {
  'en-us': { name: 'English (US)', packageName: 'dictionary-en' },
  'en-gb': { name: 'English (UK)', packageName: 'dictionary-en-gb' },
  fr: { name: 'Français', packageName: 'dictionary-fr' },
  es: { name: 'Español', packageName: 'dictionary-es' },
  pt: { name: 'Português', packageName: 'dictionary-pt' },
  ru: { name: 'Русский', packageName: 'dictionary-ru' },
} as const;

export type SpellingLanguage = keyof typeof spellingLanguages;

/** Where the build puts a dictionary's files. */
export function dictionaryAddress(language: SpellingLanguage, part: 'aff' | 'dic' | 'license'): string {
  return `/dictionaries/${language}.${part}.txt`;
}
