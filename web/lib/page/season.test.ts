import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { applySeasonScript, backToSchool } from './season.ts';

/** Runs the head's script as a browser whose clock shows this date. */
function seasonAt(year: number, month: number, day: number, hour = 12): string | undefined {
  const document = { documentElement: { dataset: {} as { season?: string } } };
  class Clock extends Date {
    constructor() {
      super(year, month - 1, day, hour, hour === 23 ? 59 : 0, hour === 23 ? 59 : 0);
    }
  }
  runInNewContext(applySeasonScript, { document, Date: Clock });
  return document.documentElement.dataset.season;
}

test('from the first moment of 1 August to the last of 31 October, every year', () => {
  for (const year of [2026, 2027, 2032]) {
    expect(seasonAt(year, 7, 31, 23)).toBeUndefined();
    expect(seasonAt(year, 8, 1, 0)).toBe(backToSchool);
    expect(seasonAt(year, 9, 15)).toBe(backToSchool);
    expect(seasonAt(year, 10, 31, 23)).toBe(backToSchool);
    expect(seasonAt(year, 11, 1, 0)).toBeUndefined();
    expect(seasonAt(year, 1, 8)).toBeUndefined();
  }
});
