/** BCP 47 tags of babel's and polyglossia's language names. */
const tags: Record<string, string> = {
  german: 'de',
  ngerman: 'de',
  french: 'fr',
  spanish: 'es',
  italian: 'it',
  portuguese: 'pt',
  brazilian: 'pt-BR',
  dutch: 'nl',
  swedish: 'sv',
  danish: 'da',
  norsk: 'nb',
  finnish: 'fi',
  polish: 'pl',
  czech: 'cs',
  croatian: 'hr',
  romanian: 'ro',
  catalan: 'ca',
  russian: 'ru',
  ukrainian: 'uk',
  british: 'en-GB',
};

/** The main language of a document; English by default. */
export function languageTag(latex: string): string {
  const babel = /\\usepackage\s*\[([^\]]*)\]\s*\{babel\}/.exec(latex)?.[1];
  const main = /\bmain\s*=\s*([a-z]+)/.exec(babel ?? '')?.[1];
  // babel's main language is the last of its options
  const last = (babel ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => Object.hasOwn(tags, one))
    .at(-1);
  const polyglossia = /\\set(?:main|default)language\s*(?:\[[^\]]*\])?\s*\{([a-z]+)\}/.exec(latex)?.[1];
  const name = main ?? last ?? polyglossia ?? '';
  return Object.hasOwn(tags, name) ? tags[name]! : 'en';
}
