import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { applyFrameScript, frameOf } from './frame.ts';

const places = [
  ['/', 'column', 'column'],
  ['/convert', 'wide', 'wide'],
  ['/documents', 'wide', 'column'],
  ['/documents/folders/123', 'wide', 'column'],
  ['/documents/123', 'column', 'column'],
  ['/documents/123/pdf', 'column', 'column'],
  ['/account', 'column', 'column'],
  ['/shared/abc', 'bare', 'bare'],
] as const;

test.each(places)('%s is %s for a signed-in user, %s for a visitor', (pathname, signedIn, visitor) => {
  expect(frameOf(pathname, false)).toBe(signedIn);
  expect(frameOf(pathname, true)).toBe(visitor);
});

test.each(places)('%s: the script in the head agrees', (pathname, signedIn, visitor) => {
  const run = (session: string) => {
    const dataset: Record<string, string> = { session };
    runInNewContext(applyFrameScript, { location: { pathname }, document: { documentElement: { dataset } } });
    return dataset.frame;
  };
  expect(run('in')).toBe(signedIn);
  expect(run('out')).toBe(visitor);
});
