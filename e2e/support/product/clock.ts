/** The page's own clock, paused: what takes half a minute is over at once, and lasts as long on any machine. */
import type { Page } from '@playwright/test';

/** Pauses the clock of whatever this page opens next; time passes only by `page.clock.runFor`. */
export async function holdClock(page: Page): Promise<void> {
  const now = Date.now();
  await page.clock.install({ time: now });
  await page.clock.pauseAt(now + 1000);
}

/**
 * Advances the page's time in small steps until a condition holds, including the server requests made in
 * between.
 * @param limitMs in the page's time
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
