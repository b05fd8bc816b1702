import { expect, test } from 'vitest';
import type { UnsavedText } from '../saving/text-keeper.ts';
import { packUnsent, unpackUnsent } from './pack-unsent.ts';

const anchor = 'A line.\nAnother line.\n'.repeat(5_000);
const middle = anchor.length / 2;
const typed = (words: string) => anchor.slice(0, middle) + words + anchor.slice(middle);

test('stored differences give all three texts back, whatever was changed', () => {
  const texts = [
    typed('word'),
    `${anchor}x`,
    `x${anchor}`,
    anchor.slice(8, -8),
    anchor.replace('Another', ''),
    '',
    anchor,
  ];
  for (const latex of texts)
    for (const base of texts) {
      const unsent: UnsavedText = {
        latex,
        base: { version: 3, latex: base },
        attempt: { base_version: 3, latex: base, save_id: 'a', cause: 'edit', source_map: null },
      };
      expect(unpackUnsent(packUnsent(unsent, anchor), anchor)).toEqual(unsent);
      expect(unpackUnsent(packUnsent({ ...unsent, attempt: null }, anchor), anchor).attempt).toBeNull();
    }
});

test('what is stored while somebody types is as long as what was typed since, not as the text', () => {
  const unsent: UnsavedText = {
    latex: typed('typed and more'),
    base: { version: 4, latex: typed('typed') },
    attempt: { base_version: 4, latex: typed('typed and'), save_id: 'a', cause: 'edit' },
  };
  expect(JSON.stringify(packUnsent(unsent, anchor)).length).toBeLessThan(400);
});
