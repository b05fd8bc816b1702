import { describe, expect, test } from 'vitest';
import type { PageState } from '#shared/api/conversion.ts';
import type { ErrorObject } from '#shared/api/errors.ts';
import {
  decideAfterReading,
  decideRetry,
  isAtRest,
  isOver,
  type PageFacts,
  warningsOfFailedPages,
} from './state-machine.ts';

const tooFaint: ErrorObject = { code: 'GENERATION_FAILED', error: 'The ink is too faint.', source: 'server' };

function pages(...states: PageState[]): PageFacts[] {
  return states.map((state, index) => ({
    number: index + 1,
    state,
    error: state === 'failed' ? tooFaint : null,
    isBlank: false,
  }));
}

describe('after reading', () => {
  test('nothing is decided while a page waits or is being read', () => {
    expect(decideAfterReading(pages('read', 'waiting'), null)).toBeNull();
    expect(decideAfterReading(pages('read', 'reading'), null)).toBeNull();
  });

  test('read pages are assembled, whatever happened to the others', () => {
    expect(decideAfterReading(pages('failed', 'read'), null)).toEqual({ kind: 'assemble' });
  });

  test('empty pages make no document, and do not cause failures', () => {
    const blank = pages('read', 'read').map((page) => ({ ...page, isBlank: true }));
    expect(decideAfterReading(blank, null)).toMatchObject({ kind: 'fail', error: { code: 'INVALID_INPUT' } });
    const [failed] = pages('failed');
    expect(decideAfterReading([{ ...failed!, number: 3 }, ...blank], null)).toMatchObject({
      kind: 'fail',
      error: { code: 'GENERATION_FAILED', error: tooFaint.error },
    });
    const [read] = pages('read');
    expect(decideAfterReading([{ ...read!, number: 3 }, ...blank], null)).toEqual({ kind: 'assemble' });
  });

  test('a retry that brought a page leads to a new document, one that brought none keeps the old one', () => {
    expect(decideAfterReading(pages('read', 'read'), [1])).toEqual({ kind: 'assemble' });
    expect(decideAfterReading(pages('read', 'failed'), [1])).toEqual({ kind: 'deliver-again' });
  });

  test('when every page failed the conversion fails with the common reason, listing each page', () => {
    const decision = decideAfterReading(pages('failed', 'failed'), null);
    expect(decision).toEqual({
      kind: 'fail',
      error: {
        ...tooFaint,
        warnings: [
          { code: 'PAGE_FAILED', message: 'Page 1 is missing: The ink is too faint.', page: 1 },
          { code: 'PAGE_FAILED', message: 'Page 2 is missing: The ink is too faint.', page: 2 },
        ],
      },
    });
  });

  test('pages that failed for different reasons give GENERATION_FAILED', () => {
    const mixed = pages('failed', 'failed');
    mixed[1]!.error = { code: 'INVALID_INPUT', error: 'This page is damaged.', source: 'user' };
    expect(decideAfterReading(mixed, null)).toMatchObject({
      kind: 'fail',
      error: { code: 'GENERATION_FAILED', source: 'server' },
    });
  });
});

describe('ending', () => {
  test('a delivery with a missing page has stopped, but not ended', () => {
    expect(isAtRest('delivered')).toBe(true);
    expect(isOver('delivered', null, pages('read', 'failed'))).toBe(false);
    expect(isOver('delivered', null, pages('read', 'read'))).toBe(true);
  });

  test('published material ends it at once, other failures wait for a retry', () => {
    const published: ErrorObject = { code: 'COPYRIGHTED_PDF', error: '', source: 'user' };
    expect(isOver('failed', published, pages('failed'))).toBe(true);
    expect(isOver('failed', tooFaint, pages('failed'))).toBe(false);
  });
});

describe('retrying a page', () => {
  const [read, failed] = pages('read', 'failed') as [PageFacts, PageFacts];

  test('a failed page, while the work is not over', () => {
    expect(decideRetry('delivered', false, failed)).toEqual({ kind: 'retry' });
    expect(decideRetry('reading', false, failed)).toEqual({ kind: 'retry' });
    expect(decideRetry('delivered', true, failed).kind).toBe('refuse');
  });

  test('a page that was read only when the document failed', () => {
    expect(decideRetry('delivered', false, read).kind).toBe('refuse');
    expect(decideRetry('failed', false, read)).toEqual({ kind: 'retry' });
  });
});

test('a missing page is listed with its reason', () => {
  expect(warningsOfFailedPages(pages('read', 'failed'))).toEqual([
    { code: 'PAGE_FAILED', message: 'Page 2 is missing: The ink is too faint.', page: 2 },
  ]);
});
