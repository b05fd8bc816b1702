/** Longest name kept, in code points; longer ones lose their middle. */
const maxNameLength = 120;
const fallbackName = 'document';

/**
 * Cleans a sender's file name for display: folders, control characters and marks that change the writing
 * direction are dropped, white space is collapsed, and at most 120 characters are kept, with the ending. Never
 * a path, never empty.
 */
export function cleanFileName(name: string | undefined): string {
  const plain = (name ?? '')
    .toWellFormed()
    .normalize('NFC')
    .split(/[/\\]/)
    .at(-1)!
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffd]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (plain === '' || /^\.+$/.test(plain)) return fallbackName;
  const characters = [...plain];
  if (characters.length <= maxNameLength) return plain;
  const ending = /\.[A-Za-z0-9]{1,5}$/.exec(plain)?.[0] ?? '';
  return `${characters.slice(0, maxNameLength - ending.length - 1).join('')}…${ending}`;
}
