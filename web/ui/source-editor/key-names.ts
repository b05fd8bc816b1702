/** Keys as they are printed. */

const arrows: Record<string, string> = { ArrowUp: '↑', ArrowDown: '↓' };

/** `Mod-Alt-1` as it appears on this keyboard. */
export function nameKeys(keys: string, isMac: boolean): string {
  return keys
    .split('-')
    .map((key) => (key === 'Mod' ? (isMac ? '⌘' : 'Ctrl') : (arrows[key] ?? key)))
    .map((key) => (key.length === 1 ? key.toUpperCase() : key))
    .join(isMac ? ' ' : '+');
}
