/** An upload that takes its time. */
import type { Page } from '@playwright/test';

/** Limits the browser's upload to this many bytes per second. */
export async function slowDown(page: Page, bytesPerSecond: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  });
}

/** Records every value that the upload's progress bar shows. */
export async function watchProgress(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const seen: number[] = [];
    Object.assign(window, { seenProgress: seen });
    const look = () => {
      const bar = document.querySelector('[role=progressbar][aria-label=Upload]');
      const value = Number(bar?.getAttribute('aria-valuenow'));
      if (bar && seen.at(-1) !== value) seen.push(value);
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
  });
  return () => page.evaluate(() => (window as unknown as { seenProgress: number[] }).seenProgress);
}
