/** A hyphen at the end of a line: the writer's own, which stays, or one that TeX set to break a word. */
import { suspendsHyphen } from '#latex/assemble/join-pages.ts';

/** What a line's hyphen becomes: its words in one, joined by it, or with a space behind it. */
export type LineHyphen = 'none' | 'kept' | 'spaced';

/**
 * @param upper text up to the hyphen, with it
 * @param lower the next line's text
 * @param knows whether the document has a word inside its lines, alone or with a hyphen
 */
export function readHyphen(upper: string, lower: string, knows: (word: string) => boolean): LineHyphen {
  if (upper.endsWith('\u00ad')) return 'none';
  const [, chain = '', before = ''] = /((?:\p{L}+[-‐])*)(\p{L}+)[-‐]$/u.exec(upper) ?? [];
  const [after = ''] = /^\p{L}+/u.exec(lower) ?? [];
  const goesOn = /^\p{L}+-\p{L}/u.test(lower);
  if (suspendsHyphen(after)) return 'spaced';
  // TeX breaks no word that has a hyphen, and leaves two letters at least on either side
  const isUnbroken = chain !== '' || goesOn || before.length < 2 || after.length < 2;
  const isName = /^\p{Lu}/u.test(after) || (/\p{Lu}$/u.test(before) && /^\p{Ll}/u.test(after));
  const isKnown =
    knows(`${before}-${after}`) ||
    (isLongEnough(before, after) && knows(before) && knows(after) && !knows(before + after));
  return isUnbroken || isName || isKnown ? 'kept' : 'none';
}

/** The halves of a hyphenated word are rarely words of the document, and if so, short ones. */
function isLongEnough(before: string, after: string): boolean {
  return Math.min(before.length, after.length) >= 4;
}
