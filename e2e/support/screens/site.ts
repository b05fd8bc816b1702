/** Machine-readable data in the site's pages. */
import type { Page } from '@playwright/test';
import { main } from '../product/addresses.ts';
import { expect } from '../test.ts';

/** A page's structured data, by type. */
export async function readData(page: Page): Promise<Record<string, unknown>[]> {
  const texts = await page.locator('script[type="application/ld+json"]').allTextContents();
  return texts.map((text) => JSON.parse(text));
}

/** Checks the picture that other sites show for a page. */
export async function expectPicture(page: Page): Promise<void> {
  const address = await page.locator('meta[property="og:image"]').getAttribute('content');
  expect(address).toMatch(`${main.url}/og/`);
  const picture = await page.request.get(address!);
  expect([picture.status(), picture.headers()['content-type']]).toEqual([200, 'image/png']);
}
