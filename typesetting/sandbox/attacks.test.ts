/**
 * Documents that try to read, run, reach or exhaust what is not theirs, with the real engines in the real
 * boxes: with every strategy and every kind of box that works here. A selection of them; `npm run bench --
 * attacks` runs all.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chooseFrom, runsWhole } from '../../test-support/matrix.ts';
import { strategyNames } from '../engines/strategy.ts';
import { type AttackRange, canary, canaryPixels, openAttackRange } from '../testing/attack-range.ts';
import { allAttacks } from '../testing/attacks/all-attacks.ts';
import { wrap } from '../testing/attacks/attack.ts';
import { choice } from '../testing/attacks/choice.ts';
import { findLeak } from '../testing/find-leak.ts';
import { png, tinyPdf } from '../testing/hostile-files.ts';
import { boxedProcesses, jobFolders, runningProcesses } from '../testing/left-behind.ts';
import { runAttack } from '../testing/run-attack.ts';
import { possibleKinds } from './open-sandbox.ts';

test('every attack has a unique name, and the selection names existing attacks', () => {
  const names = allAttacks.map(({ what }) => what);
  expect(new Set(names).size).toBe(names.length);
  expect(choice.filter((what) => !names.includes(what))).toEqual([]);
});

/** The whole selection if warm engines stay in a box; less if a combination adds little. */
const isWhole = runsWhole(import.meta.filename);
const combinations = possibleKinds().flatMap((kind, index) =>
  strategyNames.map((strategy) => {
    const every = index > 0 ? 6 : strategy !== 'fork-server' ? 3 : isWhole ? 1 : 8;
    return { kind, strategy, every };
  }),
);
const tried = chooseFrom(import.meta.filename, combinations);

describe.each(tried)('$strategy in $kind', ({ kind, strategy, every }) => {
  let range: AttackRange | null = null;
  let workDir = '';

  beforeAll(async () => {
    const opened = await openAttackRange({ sandbox: [kind], strategies: [strategy], concurrency: 3 });
    if (opened.kind === 'open') {
      range = opened.range;
      workDir = range.workDir;
    }
  });

  afterAll(() => range?.close());

  const chosen = choice
    .filter((_, index) => index % every === 0)
    .map((what) => allAttacks.find((attack) => attack.what === what)!);
  test.concurrent.for(chosen)('$what', async (attack, { skip, expect }) => {
    // not available on this machine
    if (!range) return skip();
    expect((await runAttack(range, attack, { isWatched: attack.kind !== 'exhaust' })).broken).toEqual([]);
  });

  if (runsWhole(import.meta.filename))
    test('copies that show an edited page early end with their run', async ({ skip }) => {
      if (!range || strategy !== 'fork-server') return skip();
      const attack = allAttacks.find(({ what }) => what === 'a copy made for a preview that never ends')!;
      expect((await runAttack(range, attack, { isWatched: false })).broken).toEqual([]);
      // each would run for ten seconds; a moment in which none runs comes soon
      let fewest = Number.POSITIVE_INFINITY;
      for (let looks = 0; looks < 20 && fewest > 0; looks++) {
        fewest = Math.min(fewest, runningProcesses(workDir));
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      expect(fewest).toBe(0);
    });

  test('nothing is left of any of them', async () => {
    if (!range) return;
    await range.typesetter.close();
    expect(boxedProcesses(workDir)).toEqual([]);
    expect(jobFolders(workDir)).toEqual([]);
  });
});

describe('controls: what is refused, and what the leak search must find', () => {
  let range: AttackRange;
  beforeAll(async () => {
    const opened = await openAttackRange({ strategies: ['cold'], concurrency: 2 });
    if (opened.kind !== 'open') throw new Error(opened.reason);
    range = opened.range;
  });
  afterAll(() => range?.close());
  const compile = (latex: string, assets: { name: string; bytes: Buffer }[] = []) =>
    range.typesetter.compile({ latex, assets, owner: 'control' });

  if (runsWhole(import.meta.filename))
    test('a leak in the text, in pixels, in a figure, in an attachment and in a message', async () => {
      expect(findLeak(await compile(wrap(canary)), [canary])).toBe(`pdf text: ${canary}`);
      const pictured = await compile(wrap('\\includegraphics{own.png}'), [
        { name: 'own.png', bytes: png(canaryPixels.repeat(8)) },
      ]);
      expect(findLeak(pictured, [canaryPixels])).toBe(`pdf stream: ${canaryPixels}`);
      const figure = await compile(wrap('\\includegraphics{own.pdf}'), [
        { name: 'own.pdf', bytes: tinyPdf(canary) },
      ]);
      expect(findLeak(figure, [canary])).toBe(`pdf stream: ${canary}`);
      const latex = wrap('\\special{pdf:fstream @own (own.txt)}\\special{pdf:put @catalog << /Own @own >>}');
      const attached = await compile(latex, [{ name: 'own.txt', bytes: Buffer.from(`${canary}\n`) }]);
      expect(findLeak(attached, [canary])).toBe(`pdf stream: ${canary}`);
      expect(findLeak(await compile(wrap(`\\errmessage{${canary}}`)), [canary])).toBe(`messages: ${canary}`);
    });

  if (runsWhole(import.meta.filename))
    test('a leak in the names of files in SyncTeX and the outline', async () => {
      const input = await compile(wrap(`\\input{${canary}}`), [
        { name: `${canary}.tex`, bytes: Buffer.from('x\n') },
      ]);
      expect(findLeak(input, [canary])).toBe(`synctex: ${canary}`);
      const outline = await compile(wrap(`\\special{pdf:docinfo << /Title (${canary}) >>}`));
      expect(findLeak(outline, [canary])).toMatch(/^pdf (?:stream|strings|bytes): /);
    });

  if (runsWhole(import.meta.filename))
    test('an auxiliary file, a program that ran, and a visitor', async () => {
      const seen = await runAttack(
        range,
        {
          kind: 'read',
          what: 'control',
          steps: ({ secret }) => [
            {
              owner: 'attacker',
              timeoutMs: 150_000,
              latex: wrap(
                `\\newwrite\\w\\immediate\\openout\\w=x.tex \\immediate\\write\\w{${canary}}\\immediate\\closeout\\w ${secret} \\count1=0 \\loop\\advance\\count1 1 \\ifnum\\count1<9000000 \\repeat`,
              ),
            },
          ],
        },
        { isWatched: true },
      );
      expect(seen.broken).toEqual(
        expect.arrayContaining([`x.tex of a job: ${canary}`, `attacker: pdf text: ${range.place.secret}`]),
      );
      const { createConnection } = await import('node:net');
      await new Promise((done) => createConnection(range.place.socket).on('close', done).resume());
      expect(range.takeTraces()).toEqual(['reached a socket on disk']);
    });

  test.each([
    ...[
      '../escape.png',
      '/etc/x.png',
      'a/../../b.png',
      'a/.b.png',
      './a.png',
      '.hidden',
      'main.tex',
      'main.xdv',
      'dvipdfmx.cfg',
    ],
    ...['x\0.png', '-o', ''],
  ])('an asset cannot be called %j', async (name) => {
    await expect(compile(wrap(''), [{ name, bytes: Buffer.from('x') }])).rejects.toThrow('plain file name');
  });
});
