import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SaveResult } from '#web/lib/api/document-api.ts';
import {
  createTextKeeper,
  type SaveAttempt,
  type TextKeeper,
  type TextKeeperOptions,
} from './text-keeper.ts';

/** Behaves like the server: one text, increasing versions, saves recognised by their ids. */
function createServer(latex = 'one') {
  const done = new Map<string, number>();
  const server = {
    version: 1,
    latex,
    sent: [] as SaveAttempt[],
    /** What happens to the next calls, on the way there or back. */
    faults: [] as ('lost on the way there' | 'lost on the way back')[],
    refusal: null as Extract<SaveResult, { kind: 'refused' }> | null,
    async send(save: SaveAttempt): Promise<SaveResult> {
      server.sent.push(save);
      const fault = server.faults.shift();
      await Promise.resolve();
      if (fault === 'lost on the way there') return { kind: 'unreachable' };
      const result = server.take(save);
      return fault ? { kind: 'unreachable' } : result;
    },
    take(save: SaveAttempt): SaveResult {
      if (server.refusal) return server.refusal;
      const earlier = done.get(save.save_id);
      if (earlier !== undefined) return { kind: 'saved', version: earlier };
      if (save.latex === server.latex) return { kind: 'saved', version: server.version };
      if (save.base_version !== server.version)
        return { kind: 'conflict', current: { version: server.version, latex: server.latex } };
      server.version++;
      server.latex = save.latex;
      done.set(save.save_id, server.version);
      return { kind: 'saved', version: server.version };
    },
  };
  return server;
}

const keepers: TextKeeper[] = [];
function keep(server: ReturnType<typeof createServer>, options: Partial<TextKeeperOptions> = {}) {
  const base = { version: server.version, latex: server.latex };
  const keeper = createTextKeeper({ base, send: server.send, ...options });
  keepers.push(keeper);
  return keeper;
}

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  for (const keeper of keepers.splice(0)) keeper.close();
  vi.useRealTimers();
});

describe('a text keeper', () => {
  it('saves once when the hand rests, and says so', async () => {
    const server = createServer();
    const keeper = keep(server);
    keeper.change('one t');
    keeper.change('one tw');
    expect(keeper.getStatus().kind).toBe('unsaved');
    expect(keeper.unsaved()).toMatchObject({ latex: 'one tw', base: { version: 1, latex: 'one' } });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(server.latex).toBe('one tw');
    expect(server.sent).toHaveLength(1);
    expect(keeper.getStatus().kind).toBe('saved');
    expect([keeper.version(), keeper.unsaved()]).toEqual([2, null]);
  });

  it('saves somebody who never rests all the same', async () => {
    const server = createServer();
    const keeper = keep(server);
    for (let count = 0; count < 12; count++) {
      keeper.change(`one${'.'.repeat(count + 1)}`);
      await vi.advanceTimersByTimeAsync(500);
    }
    expect(server.sent.length).toBeGreaterThanOrEqual(1);
    expect(server.latex.length).toBeGreaterThan(3);
  });

  it('saves changes made during a save after it, based on it', async () => {
    const server = createServer();
    const keeper = keep(server);
    keeper.change('two');
    const saved = keeper.save();
    keeper.change('three');
    expect(await saved).toBe(true);
    expect(server.sent.map(({ latex, base_version }) => [latex, base_version])).toEqual([
      ['two', 1],
      ['three', 2],
    ]);
    expect(keeper.version()).toBe(3);
  });

  it('two who ask for a save at once make one of it', async () => {
    const server = createServer();
    const keeper = keep(server);
    keeper.change('two');
    await Promise.all([keeper.save(), keeper.save(), keeper.save({ keepalive: true })]);
    expect(server.sent).toHaveLength(1);
  });

  it('repeats a save whose answer was lost unchanged, before anything newer', async () => {
    const server = createServer();
    const keeper = keep(server);
    server.faults = ['lost on the way back', 'lost on the way there'];
    keeper.change('two');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(keeper.getStatus().kind).toBe('unreachable');
    keeper.change('three');
    expect(keeper.unsaved()).toMatchObject({ latex: 'three', attempt: { latex: 'two' } });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(server.sent.map(({ latex }) => latex)).toEqual(['two', 'two', 'two', 'three']);
    expect(new Set(server.sent.map(({ save_id }) => save_id)).size).toBe(2);
    expect([server.version, server.latex, keeper.getStatus().kind]).toEqual([3, 'three', 'saved']);
  });

  it('stops at a conflict, and continues once the texts are merged', async () => {
    const server = createServer();
    const keeper = keep(server);
    server.version = 2;
    server.latex = 'one, by another tab';
    keeper.change('one, by me');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(keeper.getStatus()).toEqual({
      kind: 'conflict',
      theirs: { version: 2, latex: 'one, by another tab' },
    });
    keeper.change('one, by me and more');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await keeper.save()).toBe(false);
    expect(server.latex).toBe('one, by another tab');
    expect(server.sent).toHaveLength(1);

    keeper.resolve({ version: 2, latex: 'one, by another tab' }, 'one, by both');
    await vi.advanceTimersByTimeAsync(0);
    expect(server.sent.at(-1)).toMatchObject({ base_version: 2, cause: 'merge' });
    expect([server.latex, keeper.getStatus().kind]).toEqual(['one, by both', 'saved']);
  });

  it('continues from what another page left, the save in progress first', async () => {
    const server = createServer();
    const attempt = { base_version: 1, latex: 'two', save_id: 'a', cause: 'edit' as const };
    await server.send(attempt);
    const unsaved = { latex: 'three', base: { version: 1, latex: 'one' }, attempt };
    const keeper = keep(server, { unsaved });
    await vi.advanceTimersByTimeAsync(0);
    expect([server.latex, server.version, keeper.version()]).toEqual(['three', 3, 3]);
  });

  it('a text older than somebody else’s leads to the conflict, and one that arrived after all to none', async () => {
    const server = createServer();
    server.version = 2;
    server.latex = 'theirs';
    const base = { version: 1, latex: 'one' };
    const keeper = keep(server, { unsaved: { latex: 'mine', base, attempt: null } });
    await vi.advanceTimersByTimeAsync(0);
    expect(keeper.getStatus().kind).toBe('conflict');
    const calm = keep(server, { unsaved: { latex: 'theirs', base, attempt: null } });
    expect([calm.getStatus().kind, calm.version()]).toEqual(['saved', 2]);
  });

  it('a rejection waits for the user; an empty text is not sent', async () => {
    const server = createServer();
    const keeper = keep(server);
    server.refusal = { kind: 'refused', error: { code: 'UNAUTHORIZED', error: '', source: 'user' } };
    keeper.change('two');
    await vi.advanceTimersByTimeAsync(60_000);
    expect([server.sent.length, keeper.getStatus().kind]).toEqual([1, 'refused']);
    server.refusal = null;
    expect(await keeper.save()).toBe(true);

    keeper.change(' ');
    await vi.advanceTimersByTimeAsync(60_000);
    expect([server.sent.length, keeper.getStatus().kind]).toEqual([2, 'refused']);
    keeper.change('three');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(server.latex).toBe('three');
  });

  it('adopts the server’s text if it differs, and drops the save in progress', async () => {
    const server = createServer();
    const keeper = keep(server);
    server.faults = ['lost on the way there'];
    keeper.change('two');
    await vi.advanceTimersByTimeAsync(1_000);
    keeper.adopt({ version: 7, latex: 'restored' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect([keeper.version(), keeper.unsaved(), server.sent.length]).toEqual([7, null, 1]);
  });
});
