/** Checks that the samples are what the reader that ships reads, and that it reads them right. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { Conversion } from '#shared/api/conversion.ts';
import { readSample } from './read-sample.ts';
import { drawnSamples, sampleFolder } from './samples.ts';

/** The body as somebody who can read the page would write it. */
const truths: Record<string, string[]> = {
  'sample-notes': [
    '\\section*{Exponential decay}',
    'The rate at which a sample decays',
    'is in proportion to what is left.',
    '\\[ \\frac{dy}{dt}=-ky \\]',
    'With the amount A at the start',
    'the solution is',
    '\\[ y=Ae^{-kt} \\]',
    'so half of it is gone when',
    '\\[ kt=\\log2 \\]',
  ],
  'sample-print': [
    '  Bernoulli$(p)$ & $p^{k}(1-p)^{1-k}$ & $p$ & $p(1-p)$ \\\\',
    '  Binomial$(n,p)$ & $\\binom{n}{k}p^{k}(1-p)^{n-k}$ & $np$ & $np(1-p)$ \\\\',
    '  Poisson$(\\lambda)$ & $e^{-\\lambda}\\dfrac{\\lambda^{k}}{k!}$ & $\\lambda$ & $\\lambda$ \\\\',
  ],
};

for (const sample of drawnSamples)
  test(`${sample.id}: the converter shows exactly what this reader reads`, {
    timeout: 180_000,
  }, async () => {
    const file = path.join(sampleFolder, `${sample.id}.json`);
    const shown = Conversion.parse(JSON.parse(readFileSync(file, 'utf8')));
    const { conversion } = await readSample(sample);
    const { pdf_base64: _, ...result } = conversion.result!;
    expect(shown.result, 'run npm run samples:write').toMatchObject(result);
    const lines = result.latex.split('\n').filter((line) => line !== '');
    expect(lines).toEqual(expect.arrayContaining(truths[sample.id]!));
    // the handwritten page shows what a doubtful spot is
    if (sample.id === 'sample-notes')
      expect(result.latex.slice(result.doubtful[0]!.start, result.doubtful[0]!.end)).toBe(
        '\\frac{dy}{dt}=-ky',
      );
  });
