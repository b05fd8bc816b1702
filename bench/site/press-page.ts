/**
 * How the landing page feels on a slow phone: a phone's window, a processor slowed four times, and presses as
 * fast as a finger can. Times are the browser's own (Event Timing, Long Tasks, Layout Shift).
 */
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContextOptions, Page } from '@playwright/test';

const slowdown = 4;
const phone = { width: 390, height: 844 };
/** Time allowed for the effects of a press, ms. */
const settleMs = 3_000;

export interface PageVisit {
  /** Time of the largest paint before anything was pressed, ms. */
  largestPaintMs: number;
  layoutShift: number;
  /** Time from each press to the next paint, ms, by what was pressed. */
  presses: Record<string, number>;
  /** The longest task after the first press, ms. */
  longestTaskMs: number;
}

/** What is pressed, in order: buttons that work from the start, one that needs the app, one that comes with it. */
const presses: { name: string; press: (page: Page) => Promise<void> }[] = [
  { name: 'menu', press: (page) => page.getByRole('button', { name: 'Open menu' }).tap() },
  { name: 'menu again', press: (page) => page.getByRole('button', { name: /Open menu|Close menu/ }).tap() },
  { name: 'colours', press: (page) => page.locator('[data-theme-toggle]').tap() },
  { name: 'question', press: (page) => page.locator('summary').first().tap() },
];

interface Watched {
  paint: number;
  shift: number;
  task: number;
  press: number;
}

/** Reopens the page and presses each in turn. */
export async function pressPage(browser: Browser, url: string): Promise<PageVisit> {
  const context = await browser.newContext({ viewport: phone, hasTouch: true, isMobile: true });
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
    await page.addInitScript(() => {
      const watched: Watched = { paint: 0, shift: 0, task: 0, press: 0 };
      Object.assign(window, { watched });
      const watch = (
        type: string,
        note: (
          entry: PerformanceEntry & { value: number; hadRecentInput: boolean; interactionId: number },
        ) => void,
      ) =>
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) note(entry as Parameters<typeof note>[0]);
        }).observe({ type, buffered: true, durationThreshold: 16 } as PerformanceObserverInit);
      watch('largest-contentful-paint', ({ startTime }) => {
        watched.paint = startTime;
      });
      watch('layout-shift', ({ value, hadRecentInput }) => {
        // shifts right after a press are expected
        if (!hadRecentInput) watched.shift += value;
      });
      watch('longtask', ({ duration }) => {
        watched.task = Math.max(watched.task, duration);
      });
      watch('event', ({ duration, interactionId }) => {
        if (interactionId) watched.press = Math.max(watched.press, duration);
      });
    });
    await page.goto(url, { waitUntil: 'load' });
    await page.waitForTimeout(settleMs);
    const before = await read(page);
    const times: Record<string, number> = {};
    let longestTaskMs = 0;
    for (const { name, press } of presses) {
      await page.evaluate(() =>
        Object.assign((window as unknown as { watched: Watched }).watched, { press: 0, task: 0 }),
      );
      await press(page);
      await page.waitForTimeout(settleMs);
      const after = await read(page);
      times[name] = after.press;
      longestTaskMs = Math.max(longestTaskMs, after.task);
    }
    const { shift } = await read(page);
    return { largestPaintMs: before.paint, layoutShift: shift, presses: times, longestTaskMs };
  } finally {
    await context.close();
  }
}

function read(page: Page): Promise<Watched> {
  return page.evaluate(() => ({ ...(window as unknown as { watched: Watched }).watched }));
}

/**
 * All scripts that a page loads until nothing has happened for seconds, without being touched; workers are left out.
 * @param options of the visit. Default: a phone
 * @returns bytes, gzip
 */
export async function weighScripts(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = { viewport: phone, hasTouch: true, isMobile: true },
): Promise<{ bytes: number; files: number }> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    const bodies: Promise<Buffer>[] = [];
    page.on('response', (response) => {
      const isScript = response.request().resourceType() === 'script';
      if (isScript && !response.url().includes('.worker.')) bodies.push(response.body());
    });
    await page.goto(url, { waitUntil: 'networkidle' });
    await page.waitForTimeout(2 * settleMs);
    const sizes = (await Promise.all(bodies)).map((body) => gzipSync(body).length);
    return { bytes: sizes.reduce((sum, size) => sum + size, 0), files: sizes.length };
  } finally {
    await context.close();
  }
}
