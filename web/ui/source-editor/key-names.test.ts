import { expect, test } from 'vitest';
import { nameKeys } from './key-names.ts';

test('keys are named in the order of menus', () => {
  expect(nameKeys('Shift-Mod-m', false)).toBe('Ctrl+Shift+M');
  expect(nameKeys('Mod-Alt-1', false)).toBe('Ctrl+Alt+1');
  expect(nameKeys('Ctrl-Alt-[', false)).toBe('Ctrl+Alt+[');
  expect(nameKeys('Shift-F8', false)).toBe('Shift+F8');
  expect(nameKeys('Alt-ArrowUp', true)).toBe('Alt ↑');
});
