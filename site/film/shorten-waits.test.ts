import { expect, test } from 'vitest';
import type { Recording } from './camera.ts';
import { shortenWaits } from './shorten-waits.ts';

const recording: Recording = {
  size: { width: 1536, height: 960 },
  lengthMs: 20_000,
  frames: [0, 2000, 6000, 15_000].map((atMs) => ({ atMs, jpeg: Buffer.alloc(0) })),
  ways: [{ fromMs: 12_000, toMs: 12_500, from: { x: 0, y: 0 }, to: { x: 9, y: 9 } }],
  presses: [1000, 12_600],
  views: [],
  captions: [{ fromMs: 11_000, text: 'It is there.' }],
  waits: [
    { fromMs: 1000, toMs: 11_000, longestMs: 3000 },
    { fromMs: 13_000, toMs: 15_000, longestMs: 3000 },
  ],
};

test('the middle of a long wait is cut out, and everything after it moves forward', () => {
  const { recording: film, isShortened } = shortenWaits(recording);
  expect(isShortened).toBe(true);
  expect(film.lengthMs).toBe(13_000);
  expect(film.frames.map(({ atMs }) => atMs)).toEqual([0, 2000, 2500, 8000]);
  expect(film.ways[0]).toMatchObject({ fromMs: 5000, toMs: 5500 });
  expect(film.presses).toEqual([1000, 5600]);
  expect(film.captions[0]?.fromMs).toBe(4000);
});

test('a recording without long waits is unchanged', () => {
  const quick = { ...recording, waits: recording.waits.slice(1) };
  expect(shortenWaits(quick)).toEqual({ recording: { ...quick, waits: [] }, isShortened: false });
});
