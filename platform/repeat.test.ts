import { pino } from 'pino';
import { expect, test, vi } from 'vitest';
import { repeat } from './repeat.ts';

const logger = pino({ level: 'silent' });

test('starts at once, continues after a failure, never overlaps, and stops after the current run', async () => {
  let begun = 0;
  let running = 0;
  let most = 0;
  const repeated = repeat(
    async () => {
      begun++;
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 10));
      running--;
      if (begun === 1) throw new Error('the first round fails');
    },
    { everyMs: 1, logger, failure: 'counting failed' },
  );
  expect(begun).toBe(1);
  await vi.waitFor(() => expect(begun).toBeGreaterThanOrEqual(4), { timeout: 20_000 });
  await repeated.stop();
  const atTheEnd = begun;
  expect([running, most]).toEqual([0, 1]);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(begun).toBe(atTheEnd);
});
