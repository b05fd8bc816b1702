import type { HeroFormula } from './hero-sheet.tsx';
import { oscillatorStrokes } from './oscillator-strokes.ts';
import printUrl from './typeset-oscillator.svg';

export const oscillator: HeroFormula = {
  strokes: oscillatorStrokes,
  print: { url: printUrl, ratio: 59.71 / 12.54 },
  latex: ['\\ddot{x} ', '+ \\omega^2 x ', '= 0'],
};
