import { describe, expect, test } from 'vitest';
import type { CompileJob, CompileProgress, CompileResult } from '../typesetter.ts';
import { ResultCache } from './result-cache.ts';

const compiled = (text: string, sizeBytes = 100): CompileResult => ({
  kind: 'compiled',
  pdf: Buffer.alloc(sizeBytes, text),
  pageCount: 1,
  messages: [],
  synctex: null,
});
const failed = (file: string | null): CompileResult => ({
  kind: 'failed',
  pdf: null,
  pageCount: 0,
  synctex: null,
  messages: [{ level: 'error', file, line: 1, message: 'wrong' }],
});

/** A cache in front of compiles that end on command; `begun` counts them. */
function createCache(options: { maxBytes?: number } = {}) {
  const clock = { now: new Date('2030-01-01T12:00:00Z') };
  const spared: string[] = [];
  const cache = new ResultCache({
    maxBytes: options.maxBytes ?? 1_000_000,
    now: () => clock.now,
    onSpared: (how) => spared.push(how),
  });
  const compiles: {
    signal: AbortSignal;
    tell: ((progress: CompileProgress) => void) | undefined;
    begin: (readCpuMs: () => number) => void;
    end: (result: CompileResult) => void;
  }[] = [];
  const submit = (job: Partial<CompileJob> = {}, engine: 'xelatex' | 'pdflatex' = 'xelatex') =>
    cache.compile(
      { engine, job: { latex: 'text', owner: 'a', ...job } },
      (signal, tell) =>
        new Promise((resolve) => {
          compiles.push({ signal, tell: tell.onProgress, begin: tell.onBegin, end: resolve });
          signal.addEventListener('abort', () => resolve({ kind: 'cancelled' }));
        }),
    );
  return {
    cache,
    clock,
    spared,
    compiles,
    submit,
    /** Submits, and ends the compile that this starts, if any, with `result`. */
    async run(result: CompileResult, job?: Partial<CompileJob>, engine?: 'xelatex' | 'pdflatex') {
      const before = compiles.length;
      const pending = submit(job, engine);
      await settled();
      for (const { end } of compiles.slice(before)) end(result);
      return { result: await pending, compiled: compiles.length > before };
    },
  };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));
const asset = (name: string, text: string) => ({ name, bytes: Buffer.from(text) });

describe('a document compiled before', () => {
  test('is answered without a compile if all its parts are the same', async () => {
    const { run, spared } = createCache();
    const first = await run(compiled('first'), { assets: [asset('a.png', '1'), asset('b.png', '2')] });
    const again = await run(compiled('again'), { assets: [asset('b.png', '2'), asset('a.png', '1')] });
    expect(again).toEqual({ result: first.result, compiled: false });
    expect(spared).toEqual(['cached']);
  });

  test.each([
    ['owner', { owner: 'b' }],
    ['text', { latex: 'text ' }],
    ['figure', { assets: [asset('a.png', '1')] }],
    ['name of a figure', { assets: [asset('b.png', '0')] }],
    ['bounds of a figure', { assets: [asset('a.png', '05:b.png1:1')] }],
    ['engine', {}, 'pdflatex'],
  ] as [string, Partial<CompileJob>, 'pdflatex'?][])('not with another %s', async (_, job, engine) => {
    const { run } = createCache();
    await run(compiled('first'));
    await run(compiled('first'), { assets: [asset('a.png', '0')] });
    await run(compiled('first'), { assets: [asset('a.png', '0'), asset('b.png', '1')] });
    expect((await run(compiled('other'), job, engine)).compiled).toBe(true);
  });

  test('is compiled again on another day, when \\today has changed', async () => {
    const { run, clock } = createCache();
    await run(compiled('first'));
    clock.now = new Date('2030-01-02T00:00:00Z');
    expect((await run(compiled('tomorrow'))).compiled).toBe(true);
  });

  test.each([
    ['compiled', compiled('x'), true],
    ['failed', failed('main.tex'), true],
    ['stopped by a limit', failed(null), false],
    ['out of time', { kind: 'timed-out', messages: [] }, false],
    ['cancelled', { kind: 'cancelled' }, false],
    ['refused', { kind: 'refused', reason: 'full' }, false],
  ] as [string, CompileResult, boolean][])('a job that was %s', async (_, result, isCached) => {
    const { run } = createCache();
    await run(result);
    expect((await run(result)).compiled).toBe(!isCached);
  });

  test('the cache stays within its memory: the most recently used results stay', async () => {
    const { run, cache } = createCache({ maxBytes: 100_000 });
    for (let n = 0; n < 4; n++) await run(compiled('x', 20_000), { latex: `${n}` });
    await run(compiled('x', 20_000), { latex: '0' });
    await run(compiled('x', 20_000), { latex: '4' });
    expect(cache.sizeBytes).toBeLessThanOrEqual(100_000);
    expect((await run(compiled('x', 20_000), { latex: '0' })).compiled).toBe(false);
    expect((await run(compiled('x', 20_000), { latex: '1' })).compiled).toBe(true);
    await run(compiled('x', 90_000), { latex: 'huge' });
    expect((await run(compiled('x', 90_000), { latex: 'huge' })).compiled).toBe(true);
    expect(cache.sizeBytes).toBeLessThanOrEqual(100_000);
  });
});

describe('equal jobs at the same time', () => {
  test('share one compile and its progress', async () => {
    const { submit, compiles, spared } = createCache();
    const reported: string[] = [];
    const first = submit({ onProgress: ({ kind }) => reported.push(`first ${kind}`) });
    const second = submit({ onProgress: ({ kind }) => reported.push(`second ${kind}`) });
    await settled();
    expect(compiles).toHaveLength(1);
    compiles[0]!.tell!({ kind: 'pages', pdf: new Uint8Array(), firstPage: 1, lastPage: 1 });
    const result = compiled('both');
    compiles[0]!.end(result);
    expect(await Promise.all([first, second])).toEqual([result, result]);
    expect(reported).toEqual(['first pages', 'second pages']);
    expect(spared).toEqual(['shared']);
  });

  test('pages are made before the end only for who asks for them', async () => {
    const { submit, compiles } = createCache();
    const pending = [submit(), submit({ onProgress: () => {} })];
    await settled();
    expect(compiles.map(({ tell }) => tell !== undefined)).toEqual([false, true]);
    for (const { end } of compiles) end(compiled('x'));
    await Promise.all(pending);
  });

  test('are not shared with another owner', async () => {
    const { submit, compiles } = createCache();
    const pending = [submit({ owner: 'a' }), submit({ owner: 'b' })];
    await settled();
    expect(compiles).toHaveLength(2);
    for (const { end } of compiles) end(compiled('x'));
    await Promise.all(pending);
  });

  test('if one is cancelled, the other still gets its result', async () => {
    const { submit, compiles } = createCache();
    const leaving = new AbortController();
    const first = submit({ signal: leaving.signal });
    const second = submit({ signal: new AbortController().signal });
    await settled();
    leaving.abort();
    expect(await first).toEqual({ kind: 'cancelled' });
    expect(compiles[0]!.signal.aborted).toBe(false);
    compiles[0]!.end(compiled('x'));
    expect((await second).kind).toBe('compiled');
  });

  test('cancelling the last one ends the compile, and the next one starts again', async () => {
    const { submit, compiles } = createCache();
    const leaving = new AbortController();
    const pending = [submit({ signal: leaving.signal }), submit({ signal: leaving.signal })];
    await settled();
    leaving.abort();
    const next = submit();
    expect(compiles[0]!.signal.aborted).toBe(true);
    expect((await Promise.all(pending)).map(({ kind }) => kind)).toEqual(['cancelled', 'cancelled']);
    await settled();
    expect(compiles).toHaveLength(2);
    compiles[1]!.end(compiled('x'));
    expect((await next).kind).toBe('compiled');
  });

  test('all of them fail if the compile fails, and nothing is cached', async () => {
    const cache = new ResultCache({ maxBytes: 1_000 });
    const key = { engine: 'xelatex', job: { latex: 'text', owner: 'a' } } as const;
    const broken = () => Promise.reject(new Error('broken'));
    const both = await Promise.allSettled([cache.compile(key, broken), cache.compile(key, broken)]);
    expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect((await cache.compile(key, async () => compiled('x'))).kind).toBe('compiled');
  });
});
