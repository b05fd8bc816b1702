import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { LogFix } from '#shared/api/errors.ts';
import { createFixes, type OfferedFix } from './fixes.ts';

const fix: LogFix = {
  title: 'Add }',
  edits: [{ from: { line: 1, column: 0 }, to: { line: 1, column: 0 }, insert: '}' }],
};
const broken = { version: 3, latex: '{', canFix: true };
const answer = { type: 'fixes' as const, version: 3, all: false, fixes: [fix], of: 'Missing }', left: 0 };

let asked: { version: number; all: boolean }[];
let shown: OfferedFix | null;
let isOnline: boolean;
const make = () =>
  createFixes({
    ask({ version, all }) {
      if (isOnline) asked.push({ version, all });
      return isOnline;
    },
    show(offered) {
      shown = offered;
    },
  });

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  shown = null;
  isOnline = true;
});
afterEach(() => {
  vi.useRealTimers();
});

test('a fix is requested once typing stops, and a working one is offered', () => {
  const fixes = make();
  fixes.reported(broken);
  fixes.reported(broken);
  expect(asked).toEqual([]);
  vi.runAllTimers();
  expect(asked).toEqual([{ version: 3, all: false }]);
  fixes.take(answer);
  expect(shown).toEqual({ kind: 'fix', fix, of: 'Missing }' });
});

test('an edit removes it, and a fix for the earlier text is not offered', () => {
  const fixes = make();
  fixes.reported(broken);
  fixes.forget();
  vi.runAllTimers();
  expect(asked).toEqual([]);
  fixes.reported({ ...broken, version: 4 });
  fixes.take(answer);
  expect(shown).toEqual({ kind: 'trying' });
});

test('a busy server is asked again later; without a connection nothing is offered', () => {
  const fixes = make();
  fixes.reported(broken);
  vi.runAllTimers();
  fixes.take({ ...answer, fixes: [], retry_after: 10 });
  expect(shown).toEqual({ kind: 'trying' });
  isOnline = false;
  vi.runAllTimers();
  expect(shown).toBeNull();
  isOnline = true;
  fixes.reported({ ...broken, version: 5 });
  vi.runAllTimers();
  expect(asked).toHaveLength(2);
});

test('all fixes: the result, or that the text was changed in the meantime', async () => {
  const fixes = make();
  expect(await fixes.all()).toEqual({ kind: 'overtaken' });
  fixes.reported(broken);
  const first = fixes.all();
  expect(fixes.all()).toBe(first);
  // the requested one gets the answer
  vi.runAllTimers();
  expect(asked).toEqual([{ version: 3, all: true }]);
  fixes.take({ ...answer, all: true });
  expect(await first).toEqual({ kind: 'fixed', latex: '{', steps: [fix], left: 0 });
  const second = fixes.all();
  fixes.forget();
  expect(await second).toEqual({ kind: 'overtaken' });
});
