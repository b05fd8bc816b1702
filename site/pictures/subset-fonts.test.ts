import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listSigns, listSources, readRecord, subsetRange } from './subset-fonts.ts';

test('the subsets are cut from the installed fonts', () => {
  expect(readRecord()).toEqual(listSources());
});

test('the styles use a subset for exactly the characters that it has', () => {
  const faces = readFileSync('web/app/fonts.css', 'utf8').split('@font-face');
  const own = faces.filter((face) => face.includes("url('./fonts/"));
  expect(own).toHaveLength(4);
  for (const face of own) expect(face).toContain(`unicode-range: ${subsetRange};`);
  const signs = listSigns(subsetRange);
  for (const sign of 'Ten pages, £4.90 – “it compiles” … don’t → 2 × 3') expect(signs).toContain(sign);
});
