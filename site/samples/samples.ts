/** The pages that anybody can try in the converter without an account (web/features/convert/run/samples.ts). */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { handwrittenSample, printedSample, type Sample } from '#web/features/convert/run/samples.ts';
import { decayName, drawDecay } from '../pictures/draw-decay.ts';

const printedPage = path.resolve(import.meta.dirname, '../../fixtures/pdf/probability-table.pdf');

export const sampleFolder = path.resolve(import.meta.dirname, '../../web/public/samples');

export interface DrawnSample extends Sample {
  fileName: string;
  draw: () => Promise<Buffer>;
}

export const drawnSamples: readonly DrawnSample[] = [
  { ...handwrittenSample, fileName: decayName, draw: drawDecay },
  { ...printedSample, fileName: 'probability.pdf', draw: async () => readFileSync(printedPage) },
];
