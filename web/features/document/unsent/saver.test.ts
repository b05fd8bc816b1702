// Tests the saver with a server that behaves like ours, a store that outlives its pages, and tabs that notify each
// other.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRandom } from '../../../../test-support/random.ts';
import { Browser, Server, type Tab } from './testing/browser.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const text = 'first\nsecond\nthird\nfourth\n';

function open(latex = text) {
  const [server, browser] = [new Server(latex), new Browser()];
  return { server, browser, tab: browser.open(server) };
}

describe('an edit', () => {
  test('is in the browser within 300 ms, on the server after a pause, and then no longer in the browser', async () => {
    const { server, browser, tab } = open();
    tab.type('first', 'FIRST');
    expect(tab.status).toBe('unsaved');
    await pass(300);
    expect([...browser.rows.values()].map((row) => row.latex)).toEqual([tab.shown]);
    expect(server.version).toBe(1);
    await pass(2_000);
    expect(server.latex).toBe(tab.shown);
    expect(tab.saver.getState()).toMatchObject({ status: 'saved', version: 2 });
    expect(browser.rows.size).toBe(0);
  });

  test('waits while the server cannot be reached, and is sent once when it can', async () => {
    const { server, browser, tab } = open();
    server.isDown = true;
    tab.type('first', 'FIRST');
    await pass(60_000);
    expect(tab.status).toBe('unreachable');
    tab.type('second', 'SECOND');
    await pass(300);
    expect([...browser.rows.values()].map((row) => row.latex)).toEqual([tab.shown]);
    server.isDown = false;
    tab.saver.resume();
    await pass(5_000);
    expect(server.latex).toBe('FIRST\nSECOND\nthird\nfourth\n');
    expect([tab.status, browser.rows.size]).toEqual(['saved', 0]);
  });

  test('whose answer was lost is one version, without a conflict with itself', async () => {
    const { server, tab } = open();
    server.faults = ['lost on the way back'];
    tab.type('first', 'FIRST');
    await pass(1_100);
    tab.type('second', 'SECOND');
    await pass(10_000);
    expect(server).toMatchObject({ version: 3, latex: 'FIRST\nSECOND\nthird\nfourth\n' });
    expect(tab).toMatchObject({ status: 'saved', merges: 0 });
  });

  test('of a signed-out user waits for that user', async () => {
    const { server, browser, tab } = open();
    server.faults = ['signed out'];
    tab.type('first', 'FIRST');
    await pass(30_000);
    expect([tab.status, browser.rows.size, server.version]).toEqual(['signed-out', 1, 1]);
    tab.saver.resume();
    await pass(100);
    expect([tab.status, server.latex]).toEqual(['saved', tab.shown]);
  });

  test('that the browser cannot keep is told', async () => {
    const { server, browser, tab } = open();
    browser.isFull = true;
    server.isDown = true;
    tab.type('first', 'FIRST');
    await pass(2_000);
    expect(tab.saver.getState()).toMatchObject({ status: 'unreachable', isKept: false });
  });
});

describe('a page that is gone', () => {
  test('by a crash leaves its text, which is saved when the document is opened again', async () => {
    const { server, browser, tab } = open();
    tab.type('first', 'FIRST');
    await pass(300);
    tab.crash();
    const again = browser.open(server);
    await pass(100);
    expect([again.shown, server.latex]).toEqual([tab.shown, tab.shown]);
    expect([again.status, browser.rows.size]).toEqual(['saved', 0]);
  });

  test('during a save: a text that arrived is not taken for somebody else’s', async () => {
    const { server, browser, tab } = open();
    tab.type('first', 'FIRST');
    await pass(1_300);
    tab.type('FIRST', 'FIRST AND');
    // the next save arrives, but its response is lost; more is typed in the meantime
    server.faults = ['lost on the way back'];
    await pass(1_300);
    tab.type('second', 'SECOND');
    await pass(300);
    tab.crash();
    expect(server.latex).toBe('FIRST AND\nsecond\nthird\nfourth\n');
    const again = browser.open(server);
    await pass(3_000);
    expect(again).toMatchObject({ status: 'saved', shown: 'FIRST AND\nSECOND\nthird\nfourth\n', merges: 0 });
    expect(server.latex).toBe(again.shown);
  });

  test('is shown next to the newest if that differs: nothing is merged unseen', async () => {
    const { server, browser, tab } = open();
    server.isDown = true;
    tab.type('first', 'FIRST');
    await pass(300);
    tab.crash();
    server.isDown = false;
    const elsewhere = new Browser().open(server);
    elsewhere.type('fourth', 'FOURTH');
    await pass(2_000);

    const again = browser.open(server);
    await pass(1_000);
    expect(again.saver.getState()).toMatchObject({
      status: 'conflict',
      conflict: { isFound: true, base: { version: 1, latex: text }, theirs: { version: 2 } },
    });
    expect(again.shown).toBe('FIRST\nsecond\nthird\nfourth\n');
    expect(server.latex).toBe('first\nsecond\nthird\nFOURTH\n');
    // and again, if there was no decision
    again.crash();
    const third = browser.open(server);
    await pass(1_000);
    expect(third.status).toBe('conflict');
    third.saver.resolve('FIRST\nsecond\nthird\nFOURTH\n');
    await pass(1_000);
    expect([server.latex, third.status, browser.rows.size]).toEqual([third.shown, 'saved', 0]);
    expect(server.saves.at(-1)?.cause).toBe('merge');
  });

  test('several at once are all restored, one after the other', async () => {
    const { server, browser, tab } = open();
    const other = browser.open(server);
    server.isDown = true;
    tab.type('first', 'FIRST');
    other.type('fourth', 'FOURTH');
    await pass(300);
    tab.crash();
    other.crash();
    server.isDown = false;
    const again = browser.open(server);
    await pass(3_000);
    // the second is not based on what the first has become
    expect([again.status, server.latex]).toEqual(['conflict', 'FIRST\nsecond\nthird\nfourth\n']);
    again.saver.resolve('FIRST\nsecond\nthird\nFOURTH\n');
    await pass(1_000);
    expect([server.latex, browser.rows.size]).toEqual(['FIRST\nsecond\nthird\nFOURTH\n', 0]);
  });

  test('is not robbed while it lives', async () => {
    const { server, browser, tab } = open();
    server.isDown = true;
    tab.type('first', 'FIRST');
    await pass(300);
    const other = browser.open(server);
    await pass(1_000);
    expect([other.shown, other.status]).toEqual([text, 'saved']);
  });

  test('when closed normally sends what there is, and keeps what could not be sent', async () => {
    const { server, browser, tab } = open();
    tab.type('first', 'FIRST');
    const closed = tab.saver.close();
    await pass(100);
    await closed;
    expect([server.latex, browser.rows.size]).toEqual([tab.shown, 0]);
    const next = browser.open(server);
    server.isDown = true;
    next.type('second', 'SECOND');
    const gone = next.saver.close();
    await pass(100);
    await gone;
    server.isDown = false;
    expect(browser.rows.size).toBe(1);
    const last = browser.open(server);
    await pass(100);
    expect([server.latex, last.status]).toEqual(['FIRST\nSECOND\nthird\nfourth\n', 'saved']);
  });
});

describe('two tabs', () => {
  test('one without changes of its own follows the other at once', async () => {
    const { server, browser, tab } = open();
    const other = browser.open(server);
    tab.type('first', 'FIRST');
    await pass(2_000);
    expect(other).toMatchObject({ shown: tab.shown, status: 'saved' });
    other.type('second', 'SECOND');
    await pass(2_000);
    expect([tab.shown, server.latex, server.version]).toEqual([other.shown, other.shown, 3]);
  });

  test('both edited apart: one text, without asking', async () => {
    const { server, browser, tab } = open();
    const other = browser.open(server);
    tab.type('first', 'FIRST');
    other.type('fourth', 'FOURTH');
    await pass(4_000);
    const both = 'FIRST\nsecond\nthird\nFOURTH\n';
    expect([server.latex, tab.shown, other.shown]).toEqual([both, both, both]);
    expect(tab.merges + other.merges).toBe(1);
  });

  test('both edited the same place: both are shown, nothing is overwritten, and the other follows the choice', async () => {
    const { server, browser, tab } = open();
    const other = browser.open(server);
    tab.type('second', 'mine');
    await pass(10);
    other.type('second', 'theirs');
    await pass(4_000);
    expect(server.latex).toBe('first\nmine\nthird\nfourth\n');
    expect(other.saver.getState()).toMatchObject({ status: 'conflict', conflict: { isFound: false } });
    expect(other.shown).toContain('theirs');
    // postponed: typing continues, is kept, and not sent
    other.type('fourth', 'FOURTH');
    await pass(10_000);
    expect([...browser.rows.values()].map((row) => row.latex)).toEqual([other.shown]);
    expect(server.version).toBe(2);
    other.saver.resolve('first\nmine\ntheirs\nthird\nFOURTH\n');
    await pass(1_000);
    expect([server.latex, tab.shown, browser.rows.size]).toEqual([other.shown, other.shown, 0]);
  });

  test('a restored version is followed too, and a word typed in the meantime is not lost', async () => {
    const { server, browser, tab } = open();
    const other = browser.open(server);
    server.version = 2;
    server.latex = 'older\nsecond\nthird\nfourth\n';
    tab.type('fourth', 'FOURTH');
    tab.saver.show({ version: 2, latex: server.latex });
    expect(other.shown).toBe(server.latex);
    await pass(3_000);
    expect(server.latex).toBe('older\nsecond\nthird\nFOURTH\n');
    expect([tab.shown, other.shown]).toEqual([server.latex, server.latex]);
  });

  test('that write at random over a bad line, and crash, lose no line', async () => {
    const { below: random } = createRandom(11);
    const parts = ['alpha', 'beta', 'gamma'];
    const server = new Server(`${parts.join('\n\nbetween\n\n')}\n`);
    const browser = new Browser();
    const tabs = parts.map(() => browser.open(server));
    const written: string[] = [];
    for (let step = 0; step < 600; step++) {
      const which = random(parts.length);
      if (random(25) === 0)
        server.faults = [(['lost on the way there', 'lost on the way back'] as const)[random(2)]!];
      if (random(60) === 0) server.isDown = !server.isDown;
      const tab = tabs[which]!;
      if (random(40) === 0) {
        await pass(300);
        tab.crash();
        tabs[which] = browser.open(server);
        await pass(30);
        continue;
      }
      // each tab edits its own place; a decision keeps both
      const line = `${parts[which]}-${step}`;
      written.push(line);
      tab.type(`${parts[which]}\n`, `${parts[which]}\n${line}\n`);
      await pass(random(1_500));
      for (const one of tabs) decide(one);
    }
    server.isDown = false;
    for (let round = 0; round < 20; round++) {
      await pass(30_000);
      for (const one of tabs) decide(one);
    }
    const lines = server.latex.split('\n');
    expect(written.filter((line) => !lines.includes(line))).toEqual([]);
    expect(tabs.map((tab) => tab.status)).toEqual(['saved', 'saved', 'saved']);
    expect(new Set([server.latex, ...tabs.map((tab) => tab.shown)]).size).toBe(1);
    expect(browser.rows.size).toBe(0);
  });
});

/** Decides like a user who keeps both: the newest text, with every line of this tab's that it lacks, in its place. */
function decide(tab: Tab): void {
  const { conflict } = tab.saver.getState();
  if (!conflict) return;
  const lines = conflict.theirs.latex.split('\n');
  const lacking = tab.shown.split('\n').filter((line) => /-\d+$/.test(line) && !lines.includes(line));
  for (const line of lacking) lines.splice(lines.indexOf(line.split('-')[0]!) + 1, 0, line);
  tab.saver.resolve(lines.join('\n'));
}
