import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import { convertButton, expect, putDown, test } from './support/test.ts';

/** Bytes a second that leave the browser. */
async function slowDown(page: Page, bytesPerSecond: number): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  });
}

/** Notes every figure the upload's progress bar shows. */
async function watchProgress(page: Page): Promise<() => Promise<number[]>> {
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

test('on a slow line the upload shows how far it really is, then reading begins [§3 Converter: loading, uploading, uploadProgress; §4 Conversion: loading and uploading, 0 to 100; §7 POST /api/v1/process: upload progress]', async ({
  page,
}) => {
  await putDown(page, 'pdf/algorithms-and-kinetics.pdf');
  await slowDown(page, 40_000);
  const seen = await watchProgress(page);
  await convertButton(page).click();
  await expect(page.getByText('Uploading', { exact: true })).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Pages read' })).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Upload' })).toHaveCount(0);
  const figures = await seen();
  expect(figures[0]).toBe(0);
  // many steps, each further than the last, and not one leap to the end
  expect(figures.length).toBeGreaterThan(3);
  expect(figures).toEqual([...figures].sort((a, b) => a - b));
  expect(figures.filter((figure) => figure > 0 && figure < 100).length).toBeGreaterThan(2);
  await expect(
    page.getByRole('region', { name: 'Print' }).getByRole('article', { name: 'Page 1' }),
  ).toContainText('Binary search');
});

test('an upload that is cancelled leaves nothing but the pages on the desk [§4 Conversion: uploading ends at 100 or with the request]', async ({
  page,
}) => {
  await putDown(page, 'pdf/algorithms-and-kinetics.pdf');
  // all of it has arrived, and no answer has come
  const mute = createServer((request) => request.resume()).listen(0, '127.0.0.1');
  await once(mute, 'listening');
  const url = `http://127.0.0.1:${(mute.address() as AddressInfo).port}/`;
  await page.route('**/api/v1/process', (route) => route.continue({ url }), { times: 1 });
  await convertButton(page).click();
  await expect(page.getByText('Opening your pages', { exact: true })).toBeVisible();
  await expect(page.getByRole('progressbar', { name: 'Upload' })).toHaveCount(0);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(convertButton(page)).toHaveText('Convert 2 pages');
  mute.closeAllConnections();
  mute.close();

  await slowDown(page, 8_000);
  const seen = await watchProgress(page);
  await convertButton(page).click();
  await expect.poll(async () => Math.max(0, ...(await seen()))).toBeGreaterThan(0);
  const stopped = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/v1/process'));
  await page.getByRole('button', { name: 'Cancel' }).click();
  expect((await stopped).failure()?.errorText).toBe('net::ERR_ABORTED');
  await expect(convertButton(page)).toHaveText('Convert 2 pages');
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect(await page.evaluate(() => sessionStorage.getItem('inkproof.conversion'))).toBeNull();
  await page.reload();
  await expect(page.getByRole('heading', { name: 'Put your notes on the desk' })).toBeVisible();
});
