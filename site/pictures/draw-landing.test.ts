import { expect, test } from 'vitest';
import {
  drawInk,
  gaussian,
  hashText,
  oscillator,
  readInk,
  readLatex,
  readPrintSource,
} from './draw-landing.ts';

for (const sample of [gaussian, oscillator])
  test(`the pictures of ${sample.name} are of its text as it is (else: npm run landing:draw)`, () => {
    expect(readPrintSource(sample)).toBe(hashText(readLatex(sample)));
    expect(readInk(sample)).toBe(drawInk(sample));
  });
