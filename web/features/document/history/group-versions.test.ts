import { expect, test } from 'vitest';
import type { VersionSummary } from '#shared/api/library.ts';
import { describeVersion, groupVersions } from './group-versions.ts';

// local time, whatever time zone the tests run in
const now = new Date(2026, 10, 21, 15, 0).getTime();
const at = (day: number, hour: number, minute: number) => new Date(2026, 10, day, hour, minute).toISOString();
let number = 100;
const version = (created_at: string, length: number, more: Partial<VersionSummary> = {}): VersionSummary => ({
  version: number--,
  title: 'Notes',
  name: null,
  cause: 'edit',
  created_at,
  length,
  ...more,
});

test('saves during continuous writing are one row; named or special versions have their own', () => {
  const days = groupVersions(
    [
      version(at(21, 14, 40), 130),
      version(at(21, 14, 39), 120),
      version(at(21, 14, 35), 115, { name: 'Before the exam' }),
      version(at(21, 14, 34), 110),
      version(at(21, 14, 30), 100),
      version(at(21, 14, 19), 90),
      version(at(21, 14, 18), 70, { cause: 'assistant' }),
      version(at(20, 23, 59), 95),
      version(at(3, 10, 0), 40, { cause: 'create' }),
    ],
    now,
  );
  expect(
    days.map(({ label, lines }) => [
      label,
      lines.map((line) => [line.version.length, line.earlier.length, line.growth]),
    ]),
  ).toEqual([
    [
      'Today',
      [
        [130, 1, 15],
        [115, 0, 5],
        [110, 1, 20],
        [90, 0, 20],
        [70, 0, -25],
      ],
    ],
    ['Yesterday', [[95, 0, 55]]],
    ['Tuesday 3 November', [[40, 0, 40]]],
  ]);
});

test('a version is described by day, time and name, or by its cause', () => {
  expect(describeVersion(version(at(21, 9, 5), 1), now)).toBe('Today, 09:05: Edited');
  expect(describeVersion(version(at(20, 9, 5), 1, { name: 'Draft' }), now)).toBe('Yesterday, 09:05: Draft');
  expect(describeVersion(version(new Date(2025, 2, 3, 12).toISOString(), 1, { cause: 'restore' }), now)).toBe(
    '3 March 2025, 12:00: Restored',
  );
});
