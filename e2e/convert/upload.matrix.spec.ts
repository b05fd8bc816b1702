/** An upload that is cancelled. */

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { breakLine } from '../support/product/broken-line.ts';
import { slowDown, watchProgress } from '../support/product/slow-upload.ts';
import { convertButton, expect, putDown, test } from '../support/test.ts';

test('cancelling an upload leaves only the pages on the desk [§4 Conversion: uploading ends at 100 or with the request]', async ({
  page,
}) => {
  await putDown(page, 'pdf/algorithms-and-kinetics.pdf');
  // everything has arrived, and no response has come
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
  await expect(page.getByRole('heading', { name: 'Add your notes' })).toBeVisible();
});

test.describe('on a slow connection', () => {
  test.use({ allowRefusals: true });

  test('on a slow connection the upload shows its real progress, then reading begins [§3 Converter: loading, uploading, uploadProgress; §4 Conversion: loading and uploading, 0 to 100; §7 POST /api/v1/process: upload progress]', async ({
    page,
  }) => {
    await putDown(page, 'pdf/algorithms-and-kinetics.pdf');
    // the event stream is held at its start, however fast pages are read
    await breakLine(page);
    await slowDown(page, 40_000);
    const seen = await watchProgress(page);
    await convertButton(page).click();
    await expect(page.getByText('Uploading', { exact: true })).toBeVisible();
    await expect(page.getByRole('progressbar', { name: 'Pages read' })).toBeVisible();
    await expect(page.getByRole('progressbar', { name: 'Upload' })).toHaveCount(0);
    const figures = await seen();
    // from its beginning; on a busy machine the bar is first drawn after some per cent
    expect(figures[0]).toBeLessThan(25);
    // many steps, each further than the last, rather than one leap to the end
    expect(figures.length).toBeGreaterThan(3);
    expect(figures).toEqual([...figures].sort((a, b) => a - b));
    expect(figures.filter((figure) => figure > 0 && figure < 100).length).toBeGreaterThan(2);
    // whichever page is read first
    await expect(page.getByRole('region', { name: 'LaTeX and PDF' })).toContainText(
      /Binary search|Simulation/,
    );
  });
});
