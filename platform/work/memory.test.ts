import { expect, test } from 'vitest';
import { allowMemory, describeMemory } from './memory.ts';

const allow = (megabytes: number, cores: number) =>
  allowMemory({ limitBytes: megabytes * 2 ** 20, from: 'MEMORY_LIMIT' }, cores);

test('with enough memory, as many pages run as there are cores, and caches are kept', () => {
  expect(allow(24_000, 2)).toMatchObject({ pageTasks: 2, pausedTasks: 2, pageBytes: 1.6e9, exports: 2 });
  expect(allow(32_000, 16)).toMatchObject({ pageTasks: 16, pausedTasks: 16, pageBytes: 1.6e9 });
});

test('with less memory fewer tasks run at once, down to one', () => {
  expect(allow(1_024, 8)).toMatchObject({ pageTasks: 2, pageProcesses: 3, pausedTasks: 0, compiles: 1 });
  expect(allow(512, 8)).toMatchObject({ pageTasks: 1, pageProcesses: 1, compiles: 1, exports: 1 });
  const sizes = [512, 768, 1_024, 1_536, 2_048, 3_000, 4_096, 8_192, 16_384].map((size) => allow(size, 8));
  for (const [index, larger] of sizes.entries()) {
    const smaller = sizes[index - 1];
    if (!smaller) continue;
    for (const what of ['pageTasks', 'pageProcesses', 'compiles', 'engineBytes', 'pageBytes'] as const)
      expect(`${what} ${larger[what] >= smaller[what]}`).toBe(`${what} true`);
  }
});

test('there is a process for each page being worked on', () => {
  for (const megabytes of [512, 1_024, 2_048, 8_192, 65_536])
    for (const cores of [1, 2, 8, 32]) {
      const { pageTasks, pageProcesses } = allow(megabytes, cores);
      expect(pageProcesses).toBeGreaterThanOrEqual(pageTasks);
    }
});

test('the log states the limits in megabytes', () => {
  expect(describeMemory(allow(1_024, 2))).toMatchObject({ limitMegabytes: 1_024, from: 'MEMORY_LIMIT' });
});
