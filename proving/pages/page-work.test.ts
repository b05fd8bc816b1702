import { expect, test } from 'vitest';
import { plainPage } from '#latex/assemble/page-body.ts';
import { PageWork } from './page-work.ts';

const workOf = (body: string) => new PageWork({ number: 2, page: plainPage(body) });

test('a repaired place is quoted as it is in the resulting text', () => {
  const body = 'Long ago the firm Smith & Sons owed seven crowns to nobody at all.';
  const work = workOf(body);
  const at = body.indexOf('&');
  expect(work.repair([{ start: at, end: at + 1, text: '\\&' }])).toBe(true);
  expect(work.warnings).toEqual([
    {
      code: 'LATEX_REPAIRED',
      message: 'Some LaTeX on this page was repaired so that it compiles, at “the firm Smith \\& Sons owed”.',
      page: 2,
    },
  ]);
});

test('no repairs, no warning; of many places the first few are named', () => {
  const work = workOf('a & b & c & d & e & f & g & h');
  expect(work.repair([])).toBe(false);
  const places = [...work.body.matchAll(/&/g)].map(({ index }) => ({
    start: index,
    end: index + 1,
    text: '\\&',
  }));
  work.repair(places);
  expect(work.warnings.length).toBeLessThanOrEqual(5);
  expect(work.warnings[0]!.message).toContain('a \\& b');
});
