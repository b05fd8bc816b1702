/**
 * Reads a dictionary in Hunspell's format and looks words up. Affixes are removed from the word being looked up,
 * never added to all stems: a dictionary of 100,000 stems is ready in a fraction of a second. It supports the parts of the
 * format that our languages use: suffixes and prefixes with conditions and continuation classes, NEEDAFFIX,
 * ONLYINCOMPOUND, FORBIDDENWORD, KEEPCASE, ICONV, REP and TRY. Compounds are not supported.
 */

interface Affix {
  flag: string;
  strip: string;
  condition: RegExp | null;
  isCross: boolean;
  /** Classes that the word with this affix belongs to. */
  classes: string[];
}

export interface Dictionary {
  isKnown: (word: string) => boolean;
  /** Best first, at most five. */
  suggest: (word: string) => string[];
}

export function readDictionary(aff: string, dic: string): Dictionary {
  const rules = readRules(aff);
  const stems = new Map<string, string>();
  for (const line of dic.split('\n').slice(1)) {
    const [entry = ''] = line.split(/[\t\r ]/, 1);
    const slash = entry.search(/(?<!\\)\//);
    const stem = (slash < 0 ? entry : entry.slice(0, slash)).replaceAll('\\/', '/');
    if (!stem) continue;
    const flags = slash < 0 ? '' : entry.slice(slash + 1);
    // homonyms: the word may do what any of them may
    stems.set(stem, stems.has(stem) ? rules.join(stems.get(stem)!, flags) : flags);
  }
  const isWord = (word: string) => isForm(word, stems, rules);
  const isKnown = (written: string): boolean => {
    const word = rules.convert(written);
    if (isWord(word)) return true;
    const lower = word.toLowerCase();
    if (word === lower) return false;
    const isCapital = word[0] !== lower[0] && word.slice(1) === lower.slice(1);
    if (isCapital) return isWord(lower);
    if (word !== word.toUpperCase()) return false;
    return isWord(lower) || isWord(lower[0]!.toUpperCase() + lower.slice(1));
  };
  return { isKnown, suggest: (word) => suggest(rules.convert(word), isKnown, rules) };
}

interface Rules {
  suffixes: Map<string, Affix[]>;
  prefixes: Map<string, Affix[]>;
  longestSuffix: number;
  longestPrefix: number;
  split: (flags: string) => string[];
  join: (a: string, b: string) => string;
  convert: (word: string) => string;
  letters: string;
  replacements: [string, string][];
  needAffix: string | undefined;
  onlyInCompound: string | undefined;
  forbidden: string | undefined;
}

function readRules(aff: string): Rules {
  const one: Record<string, string> = {};
  const conversions: [string, string][] = [];
  const replacements: [string, string][] = [];
  const suffixes = new Map<string, Affix[]>();
  const prefixes = new Map<string, Affix[]>();
  const cross = new Map<string, boolean>();
  const mode = /^FLAG\s+(\S+)/m.exec(aff)?.[1] ?? '';
  const split = (flags: string): string[] => {
    if (mode === 'long') return flags.match(/../gs) ?? [];
    if (mode === 'num') return flags === '' ? [] : flags.split(',');
    return [...flags];
  };
  for (const line of aff.split(/\r?\n/)) {
    const [key = '', a = '', b = '', c = '', d = '.'] = line.trim().split(/\s+/);
    if (key === 'ICONV' && b) conversions.push([a, b]);
    else if (key === 'REP' && b) replacements.push([a, b.replaceAll('_', ' ')]);
    else if ((key === 'SFX' || key === 'PFX') && !cross.has(key + a)) cross.set(key + a, b === 'Y');
    else if (key === 'SFX' || key === 'PFX') {
      const [written = '', classes = ''] = c.split('/');
      const added = written === '0' ? '' : written;
      const strip = b === '0' ? '' : b;
      const table = key === 'SFX' ? suffixes : prefixes;
      const condition = d === '.' ? null : new RegExp(key === 'SFX' ? `${d}$` : `^${d}`, 'u');
      const affix = { flag: a, strip, condition, isCross: cross.get(key + a)!, classes: split(classes) };
      const there = table.get(added);
      if (there) there.push(affix);
      else table.set(added, [affix]);
    } else if (a && /^[A-Z]+$/.test(key)) one[key] ??= a;
  }
  const longest = (table: Map<string, Affix[]>) =>
    [...table.keys()].reduce((most, { length }) => Math.max(most, length), 0);
  return {
    suffixes,
    prefixes,
    longestSuffix: longest(suffixes),
    longestPrefix: longest(prefixes),
    split,
    join: (a, b) => (mode === 'num' && a && b ? `${a},${b}` : a + b),
    convert: (word) => conversions.reduce((text, [from, to]) => text.replaceAll(from, to), word),
    letters: [...new Set((one.TRY ?? '').toLowerCase())].join(''),
    replacements,
    needAffix: one.NEEDAFFIX,
    onlyInCompound: one.ONLYINCOMPOUND,
    forbidden: one.FORBIDDENWORD,
  };
}

function isForm(word: string, stems: ReadonlyMap<string, string>, rules: Rules): boolean {
  const classesOf = (stem: string) => {
    const flags = stems.get(stem);
    return flags === undefined ? null : rules.split(flags);
  };
  const has = (classes: string[], flag: string | undefined) => flag !== undefined && classes.includes(flag);
  const bare = classesOf(word);
  if (bare && has(bare, rules.forbidden)) return false;
  if (bare && !has(bare, rules.needAffix) && !has(bare, rules.onlyInCompound)) return true;
  if (strips(word, null)) return true;
  for (const [stem, prefix] of takeOff(word, rules.prefixes, rules.longestPrefix, true)) {
    const classes = classesOf(stem);
    if (classes && has(classes, prefix.flag) && !has(classes, rules.forbidden)) return true;
    if (prefix.isCross && strips(stem, prefix)) return true;
  }
  return false;

  /** A stem with one suffix, or with two if the inner allows the outer; all must allow the prefix. */
  function strips(form: string, prefix: Affix | null): boolean {
    for (const [stem, suffix] of takeOff(form, rules.suffixes, rules.longestSuffix, false)) {
      if (prefix && !suffix.isCross) continue;
      const classes = classesOf(stem);
      if (classes && has(classes, suffix.flag) && !has(classes, rules.forbidden)) {
        const isWhole = !has(suffix.classes, rules.needAffix) || prefix !== null;
        const takesPrefix =
          !prefix ||
          has(classes, prefix.flag) ||
          has(suffix.classes, prefix.flag) ||
          has(prefix.classes, suffix.flag);
        if (isWhole && takesPrefix) return true;
      }
      if (prefix) continue;
      for (const [inner, innerSuffix] of takeOff(stem, rules.suffixes, rules.longestSuffix, false)) {
        if (!has(innerSuffix.classes, suffix.flag)) continue;
        const innerClasses = classesOf(inner);
        if (innerClasses && has(innerClasses, innerSuffix.flag)) return true;
      }
    }
    return false;
  }
}

function* takeOff(
  word: string,
  table: ReadonlyMap<string, Affix[]>,
  longest: number,
  isPrefix: boolean,
): Generator<[string, Affix]> {
  for (let length = 0; length <= Math.min(longest, word.length); length++) {
    const added = isPrefix ? word.slice(0, length) : word.slice(word.length - length);
    const rest = isPrefix ? word.slice(length) : word.slice(0, word.length - length);
    for (const affix of table.get(added) ?? []) {
      const stem = isPrefix ? affix.strip + rest : rest + affix.strip;
      if (stem !== '' && (!affix.condition || affix.condition.test(stem))) yield [stem, affix];
    }
  }
}

/** Usual mistakes first, then one letter missing, added, changed, or two swapped. */
function suggest(
  word: string,
  isKnown: (word: string) => boolean,
  { letters, replacements }: Rules,
): string[] {
  const found = new Set<string>();
  const lower = word.toLowerCase();
  const attempt = (candidate: string) => {
    if (candidate !== word && candidate.split(' ').every((part) => part.length > 0 && isKnown(part)))
      found.add(candidate);
    return found.size >= 5;
  };
  if (attempt(lower[0]!.toUpperCase() + lower.slice(1))) return [...found];
  for (const [from, to] of replacements)
    for (let at = word.indexOf(from); at >= 0; at = word.indexOf(from, at + 1))
      if (attempt(word.slice(0, at) + to + word.slice(at + from.length))) return [...found];
  for (let i = 0; i < word.length - 1; i++)
    if (attempt(word.slice(0, i) + word[i + 1]! + word[i]! + word.slice(i + 2))) return [...found];
  for (let i = 0; i < word.length; i++) if (attempt(word.slice(0, i) + word.slice(i + 1))) return [...found];
  for (let i = 0; i <= word.length; i++)
    for (const letter of letters) {
      if (attempt(word.slice(0, i) + letter + word.slice(i))) return [...found];
      if (i < word.length && attempt(word.slice(0, i) + letter + word.slice(i + 1))) return [...found];
    }
  for (let i = 2; i < word.length - 1; i++)
    if (attempt(`${word.slice(0, i)} ${word.slice(i)}`)) return [...found];
  return [...found];
}
