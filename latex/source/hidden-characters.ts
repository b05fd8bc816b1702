/**
 * Characters that show nothing themselves and can make a line look other than it is: those that turn the direction of
 * writing (Unicode 16, 23.2; UAX #9), and those of no width. Letters of scripts written from right to left are none.
 */

/**
 * Joiners count only beside ASCII: inside Persian, Indic scripts and emoji they are spelling. Global, with `u`: for
 * `replace` and `matchAll`.
 */
export const hiddenCharacters =
  /[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]|(?<=[!-~])[\u200c\u200d]|[\u200c\u200d](?=[!-~])/gu;

/** The text with each of them written as what it is, e.g. `⟨U+202E⟩`, for places that quote it. */
export function spellOutHidden(text: string): string {
  return text.replace(hiddenCharacters, nameCharacter);
}

/** E.g. `⟨U+202E⟩`. */
export function nameCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
