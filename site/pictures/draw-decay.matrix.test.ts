/** Checks that the current reader, with the weights that ship, reads the demo's page as the film shows. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { convertFiles } from '#server/conversion/stations/convert.ts';
import { type EmbeddedStations, openEmbeddedStations } from '#server/conversion/testing/embedded-stations.ts';
import { decayName, drawDecay } from './draw-decay.ts';

let opened: EmbeddedStations;
beforeAll(async () => {
  opened = await openEmbeddedStations();
});
afterAll(() => opened.close());

test('the page of the demo is read in order, and the formula that is confirmed is right, and marked', async () => {
  const file = path.join(opened.folder, decayName);
  writeFileSync(file, await drawDecay());
  const result = await convertFiles({
    files: [{ path: file, displayName: decayName }],
    range: { startPage: 1, endPage: null },
    stations: opened.stations,
    readConcurrency: 1,
    signal: new AbortController().signal,
  });
  if (result.kind !== 'converted') throw new Error(result.error.error);
  const { latex, doubtful } = result.document;
  const text = latex.replace(/\s+/g, ' ');
  const places = [
    'Exponential decay',
    'The rate at which a sample decays is in proportion to what is left',
    '\\frac{dy}{dt}=-ky',
    'With the amount A at the start the solution is',
    'y=Ae^{-kt}',
    'so half of it is gone when',
    'kt=\\log2',
  ].map((part) => text.indexOf(part));
  expect(places).toEqual([...places].sort((one, other) => one - other));
  expect(places[0]).toBeGreaterThan(0);
  const rate = latex.indexOf('\\frac{dy}{dt}=-ky');
  expect(doubtful.some(({ start, end }) => start <= rate && rate < end)).toBe(true);
});
