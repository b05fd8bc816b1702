/**
 * The test used by every browser flow. Nothing is faked unless a test says so. Any error on the console, any
 * uncaught exception and any violation of the page's security policy fails the test.
 */
import path from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { test as base, expect, type Page } from '@playwright/test';
import { chooseFrom } from '../../test-support/matrix.ts';
import { stopSnapshotsOfPolls } from './product/quick-polls.ts';

interface Options {
  /** The test provokes refusals (4xx) or a lost connection, which the browser may then log to the console. */
  allowRefusals: boolean;
}

export const test = base.extend<Options & { watch: undefined }>({
  allowRefusals: [false, { option: true }],
  watch: [
    async ({ page, allowRefusals }, use) => {
      await stopSnapshotsOfPolls(page);
      const faults: string[] = [];
      page.on('console', (message) => {
        if (message.type() !== 'error') return;
        const isRefusal = /^(Failed to load resource|TypeError: Failed to fetch)/.test(message.text());
        if (allowRefusals && isRefusal) return;
        faults.push(`${message.text()} (${message.location().url})`);
      });
      page.on('pageerror', (error) => faults.push(error.stack ?? error.message));
      await page.addInitScript(() => {
        addEventListener('securitypolicyviolation', (event) => {
          console.error(
            `policy: ${event.violatedDirective} refused ${event.blockedURI} at ${event.sourceFile}`,
          );
        });
      });
      await use(undefined);
      expect(faults, 'errors on the console').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

const fixtures = path.resolve(import.meta.dirname, '../../fixtures');

export function fixture(name: string): string {
  return path.join(fixtures, name);
}

/** Opens /convert and adds files with the file picker. */
export async function putDown(page: Page, ...names: string[]): Promise<void> {
  await page.goto('/convert');
  await page.getByLabel('Choose files').setInputFiles(names.map(fixture));
  await expect(page.getByRole('region', { name: 'Pages' })).toBeVisible();
}

/** The app's files: all scripts but the first one, which loads them. */
export const appFiles = /\/assets\/(?!entry\.client-|preload-helper-)[^/]+\.js$/;

/** Holds back the app's scripts until the returned function is called, like a slow connection. */
export async function holdApp(page: Page): Promise<() => void> {
  let letThrough = () => {};
  const isLetThrough = new Promise<void>((resolve) => {
    letThrough = resolve;
  });
  await page.route(appFiles, async (route) => {
    await isLetThrough;
    await route.continue();
  });
  return letThrough;
}

export function convertButton(page: Page) {
  return page.getByRole('button', { name: /^Convert/ });
}

/** Converts the files on the desk and waits for the result. */
export async function convert(page: Page): Promise<void> {
  await convertButton(page).click();
  await expect(page.getByRole('tab', { name: 'PDF' })).toBeVisible({ timeout: 150_000 });
}

/** The PDF as shown by the viewer: the text of its first pages' text layers. */
export function pdfText(page: Page) {
  return page.locator('.textLayer').first();
}

/** The document in the editor, of which CodeMirror renders only the visible part. */
export function editor(page: Page) {
  return page.getByRole('textbox', { name: 'LaTeX source' });
}

/** axe-core's findings, in words. */
export async function listAxeViolations(page: Page): Promise<string[]> {
  // in the page itself: the other mode opens a second page for each result, to cover frames of other origins
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await axe.analyze();
  return violations.map(
    (violation) => `${violation.id}: ${violation.nodes.map((node) => node.target.join(' ')).join(', ')}`,
  );
}

interface Looks {
  widths?: readonly number[];
  colours?: readonly ('light' | 'dark')[];
  /** Whether this person prefers reduced motion. */
  isCalm?: boolean;
}

/**
 * Checks the screen at every size and in both colour schemes (a plain run takes half of the pairs): accessible,
 * and nothing overflows sideways. The page is not reloaded in between: its layout and colours follow the
 * window. It is left in the last of them.
 */
export async function expectGoodLooks(
  page: Page,
  { widths = [390, 1280], colours = ['light', 'dark'], isCalm = true }: Looks = {},
): Promise<void> {
  // the plain run takes the phone in the first colour scheme and the desktop in the last
  const looks = colours.flatMap((colorScheme, row) =>
    widths.map((width, column) => ({ colorScheme, width, isFirst: row % widths.length === column })),
  );
  looks.sort((one, other) => Number(other.isFirst) - Number(one.isFirst));
  const wanted = Math.max(widths.length, colours.length);
  for (const { colorScheme, width } of chooseFrom(test.info().file, looks, wanted))
    await test.step(`at ${width} px, ${colorScheme}`, async () => {
      await page.emulateMedia({ colorScheme, reducedMotion: isCalm ? 'reduce' : 'no-preference' });
      await page.setViewportSize({ width, height: 800 });
      await waitForAnimations(page);
      expect(await listAxeViolations(page)).toEqual([]);
      await expectNoSidewaysScroll(page);
    });
}

/** Waits until every finite animation on the page has ended. */
async function waitForAnimations(page: Page): Promise<void> {
  await page.evaluate(async () => {
    // animations triggered by a new size or colour have started by then
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    const ending = document.getAnimations().filter(({ effect, playState, timeline }) => {
      const isEnding = effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY;
      return isEnding && playState === 'running' && timeline === document.timeline;
    });
    await Promise.allSettled(ending.map((animation) => animation.finished));
  });
}

/** Checks that no part of the page overflows sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const overhang = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overhang).toBeLessThanOrEqual(0);
}
