import { PassThrough } from 'node:stream';
import { setImmediate as soon } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { channelCount, type RunCommand } from './protocol.ts';
import { WarmProcess } from './warm-process.ts';

const command: RunCommand = {
  run: 1,
  folder: 'r1',
  cpuSeconds: 30,
  everyMs: 100,
  previewFrom: null,
  slots: [],
  marks: [],
};

/** The other end of a box's channels: what its processes send and receive. */
function openChannels() {
  const channels = Array.from({ length: channelCount }, () => new PassThrough());
  const process = new WarmProcess({
    channel: (number) => channels[number]!,
    ended: new Promise(() => {}),
    kill: () => {},
    measureMemory: async () => 0,
    readCpuMs: () => null,
  });
  return {
    process,
    say: async (line: string) => {
      channels[0]!.write(`${line}\n`);
      await soon();
    },
    toldIn: (slot: number) => channels[1 + slot]!.read()?.toString() ?? '',
  };
}

it('ends a copy only when the run it started has ended, so that the next run can begin', async () => {
  const { process, say, toldIn } = openChannels();
  await say('ready 0');
  await say('ready 3');
  const exit = process.run(3, command);
  await say('done 1 0 12');
  expect(await exit).toEqual({ status: 0, cpuMs: 12 });
  expect(toldIn(3)).toMatch(/^run 1 /);

  process.release(3);
  await soon();
  expect(toldIn(3)).toBe('');

  await say('exit 1 0 14');
  await process.whenIdle();
  await soon();
  expect(toldIn(3)).toBe('end\n');
  await say('ended 3');
  expect(process.freeSlots).toContain(3);
});

it('ends an idle copy at once', async () => {
  const { process, say, toldIn } = openChannels();
  await say('ready 0');
  await say('ready 3');
  void process.run(0, command);
  process.release(3);
  expect(toldIn(3)).toBe('end\n');
});
