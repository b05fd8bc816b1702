import { expect, it } from 'vitest';
import { describeAge } from './describe-time.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const minute = 60_000;
const day = 24 * 60 * minute;

it.each([
  [-5 * minute, 'just now'], // a clock that is ahead
  [0, 'just now'],
  [119_000, 'just now'],
  [2 * minute, '2 minutes ago'],
  [59.9 * minute, '59 minutes ago'],
  [60 * minute, '1 hour ago'],
  [23.9 * 60 * minute, '23 hours ago'],
  [day, 'yesterday'],
  [29.9 * day, '29 days ago'],
  [30 * day, 'last month'],
  [75 * day, '2 months ago'],
  [400 * day, 'last year'],
])('%d ms ago is "%s"', (age, text) => {
  expect(describeAge(new Date(now - age).toISOString(), now)).toBe(text);
});
