/** Converts the words of a clause to values, or to null if the words match but the meaning does not. */
import type { HeadingLevel, HeadingReference, Side } from './exact-edit.ts';

/** The named groups of a pattern that matched. */
export type Groups = Record<string, string | undefined>;

/** Removes the quotation marks around the text, if any. */
export function unquote(text: string): string {
  const trimmed = text.trim();
  const inner = /^(?:"([^"]*)"|“([^”"]*)[”"]|«([^»]*)»|`([^`]*)`|'(.*)')$/s.exec(trimmed);
  return inner
    ? inner
        .slice(1)
        .find((part) => part !== undefined)!
        .trim()
    : trimmed;
}

export function isQuoted(text: string): boolean {
  return /^["“«`']/.test(text.trim());
}

/** Bare words that describe rather than name. */
const descriptive =
  /^(?:title case|upper ?case|lower ?case|sentence case|small caps|all caps|capitals?|bold|italics?|english|french|german|spanish|latin|greek|helvetica|times|arial|\d+\s?(?:pt|points?)|left|right|cent(?:er|re)|red|blue|green|black|today|tomorrow|yesterday|the |a |an |something|whatever)\b/i;

/** Returns a title or another name of at most `maxWords` bare words; null if the words describe rather than name. */
export function nameFrom(text: string | undefined, maxWords: number): string | null {
  if (text === undefined) return null;
  const value = unquote(text);
  if (value === '' || value.length > 300) return null;
  if (isQuoted(text)) return value;
  if (descriptive.test(value) || value.split(/\s+/).length > maxWords) return null;
  // A bare name that runs into another thought: better to ask for quotation marks.
  if (
    /\b(?:but|instead|because|so that|which|that is|rather|like|with|without|in (?:bold|italics|a|the)|on (?:the|a|its))\b/i.test(
      value,
    )
  )
    return null;
  return value;
}

/** Returns a person's name: quoted, or bare words that all look like a name. */
export function personFrom(text: string | undefined): string | null {
  const name = nameFrom(text, 5);
  if (name === null || text === undefined || isQuoted(text)) return name;
  return /^(?:[\p{Lu}][\p{L}.'-]*|van|von|de|der|den|la|le|di|da|del)(?: (?:[\p{Lu}][\p{L}.'-]*|van|von|de|der|den|la|le|di|da|del))*$/u.test(
    name,
  )
    ? name
    : null;
}

/** `2cm`, `1 inch`, `25 mm`, `0,5in` → a TeX length of at most 10 cm; null otherwise. */
export function lengthFrom(number: string | undefined, unit: string | undefined): string | null {
  if (!number || !unit) return null;
  const value = Number(number.replace(',', '.'));
  const units: Record<string, [string, number]> = {
    cm: ['cm', 1],
    centimeter: ['cm', 1],
    centimetre: ['cm', 1],
    mm: ['mm', 0.1],
    millimeter: ['mm', 0.1],
    millimetre: ['mm', 0.1],
    in: ['in', 2.54],
    inch: ['in', 2.54],
    inche: ['in', 2.54],
    '"': ['in', 2.54],
    pt: ['pt', 0.0352],
    point: ['pt', 0.0352],
  };
  const known = units[unit.toLowerCase().replace(/s$/, '')];
  if (!known || !Number.isFinite(value) || value < 0 || value * known[1] > 10) return null;
  return `${value}${known[0]}`;
}

const allSides: readonly Side[] = ['left', 'right', 'top', 'bottom'];

/** Returns the sides that the words name; all four if they name none. */
export function sidesFrom(text: string | undefined): readonly Side[] {
  if (!text) return allSides;
  const names = text.toLowerCase();
  if (/side|horizontal/.test(names)) return ['left', 'right'];
  if (/vertical/.test(names)) return ['top', 'bottom'];
  return allSides.filter((side) => names.includes(side));
}

/** Returns the heading in the groups that the grammar calls `name`, `nameBare`, `nameLevel` and `nameNumber`. */
export function headingFrom(groups: Groups, name: string): HeadingReference | null {
  const words = groups[name] ?? groups[`${name}Bare`];
  if (words !== undefined) {
    const value = unquote(words);
    return value === '' ? null : { by: 'words', words: value };
  }
  const number = groups[`${name}Number`];
  if (number === undefined) return null;
  return {
    by: 'number',
    level: groups[`${name}Level`]!.toLowerCase() as HeadingLevel,
    number: Number(number),
  };
}

/** `heading` alone means a section. */
export function levelFrom(text: string | undefined): HeadingLevel {
  const level = text?.toLowerCase();
  return level === 'subsection' || level === 'subsubsection' ? level : 'section';
}

/** True for words which show that a bare word began a description. */
export function isFunctionWord(word: string): boolean {
  return /^(?:a|an|the|something|another|its|nothing|it|one|more|better|bold|italics?|caps)$/i.test(word);
}
