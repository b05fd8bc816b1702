/** The page's own clock, held: what takes half a minute is over at once, and lasts as long on any machine. */
import type { Page } from '@playwright/test';

/** The clock of whatever this page opens next stands still; time passes by `page.clock.runFor` alone. */
export async function holdClock(page: Page): Promise<void> {
  const now = Date.now();
  await page.clock.install({ time: now });
  await page.clock.pauseAt(now + 1000);
}

/**
 * Lets the page's time pass in small steps until something has come about, with what it asks of the server in between.
 * @param limitMs of the page's time
 */
export async function runUntil(
  page: Page,
  isSo: () => boolean | Promise<boolean>,
  { stepMs, limitMs }: { stepMs: number; limitMs: number },
): Promise<boolean> {
  for (let passed = 0; passed < limitMs; passed += stepMs) {
    if (await isSo()) return true;
    await page.clock.runFor(stepMs);
  }
  return isSo();
}
