/** Keys as they are printed. */

const arrows: Record<string, string> = { ArrowUp: '↑', ArrowDown: '↓' };

const modifiers = ['Mod', 'Ctrl', 'Alt', 'Shift'];
/** Modifiers in the order of menus, then the key itself. */
const orderOf = (key: string) => (modifiers.includes(key) ? modifiers.indexOf(key) : modifiers.length);

/** `Mod-Alt-1` as it appears on this keyboard. */
export function nameKeys(keys: string, isMac: boolean): string {
  return keys
    .split('-')
    .sort((one, other) => orderOf(one) - orderOf(other))
    .map((key) => (key === 'Mod' ? (isMac ? '⌘' : 'Ctrl') : (arrows[key] ?? key)))
    .map((key) => (key.length === 1 ? key.toUpperCase() : key))
    .join(isMac ? ' ' : '+');
}
