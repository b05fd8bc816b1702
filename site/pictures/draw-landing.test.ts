import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  drawInk,
  drawUndefined,
  gaussian,
  hashText,
  oscillator,
  readInk,
  readLatex,
  readPrintSource,
  undefinedInk,
} from './draw-landing.ts';

for (const sample of [gaussian, oscillator])
  test(`the pictures of ${sample.name} show its current text (else: npm run landing:draw)`, () => {
    expect(readPrintSource(sample)).toBe(hashText(readLatex(sample)));
    expect(readInk(sample)).toBe(drawInk(sample));
  });

test('the picture for an unknown address is current (else: npm run landing:draw)', () => {
  expect(readFileSync(undefinedInk, 'utf8')).toBe(drawUndefined());
});
