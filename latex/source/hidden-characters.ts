/**
 * Invisible characters that can make a line look different from what it is: those that change the direction of
 * writing (Unicode 16, 23.2; UAX #9), and zero-width ones. Letters of right-to-left scripts are not among them.
 */

/**
 * Joiners count only next to ASCII: in Persian, Indic scripts and emoji they are spelling. Global, with `u`, for
 * `replace` and `matchAll`.
 */
export const hiddenCharacters =
  /[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]|(?<=[!-~])[\u200c\u200d]|[\u200c\u200d](?=[!-~])/gu;

/** The text with each of them spelled out, e.g. `⟨U+202E⟩`, to quote it. */
export function spellOutHidden(text: string): string {
  return text.replace(hiddenCharacters, nameCharacter);
}

/** E.g. `⟨U+202E⟩`. */
export function nameCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
