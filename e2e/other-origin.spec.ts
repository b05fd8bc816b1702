import { elsewhere } from './support/addresses.ts';
import { convert, convertButton, editor, expect, pdfText, putDown, test } from './support/test.ts';

test.use({ baseURL: elsewhere.url });

test('the API on another origin: convert, compile, watermark, cancel, dismiss [§7 The API on a host of its own; §7 POST /api/v1/process: bearer token, credentials]', async ({
  page,
  context,
}) => {
  // whatever the API has set in this browser goes along
  await context.addCookies([{ name: 'of-the-api', value: 'yes', url: elsewhere.apiUrl }]);
  const sent = page.waitForRequest((request) => request.url() === `${elsewhere.apiUrl}/api/v1/process`);
  const hosts = new Set<string>();
  page.on('request', (request) => {
    const { pathname, origin } = new URL(request.url());
    if (pathname.startsWith('/api/')) hosts.add(origin);
  });
  await putDown(page, 'pdf/probability-table.pdf');
  await convert(page);
  const headers = await (await sent).allHeaders();
  expect(headers.cookie).toContain('of-the-api=yes');
  expect(headers.authorization).toMatch(/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/);
  await expect(pdfText(page)).toContainText('summary of common distributions');
  await expect(page.getByRole('region', { name: 'Ink' }).locator('img')).toBeVisible();

  await page.getByRole('tab', { name: 'LaTeX' }).click();
  await editor(page).click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('% compiled from another origin\n');
  const compiled = page.waitForResponse(
    (response) => response.url() === `${elsewhere.apiUrl}/api/v1/compile`,
  );
  await page.getByRole('button', { name: 'Compile' }).click();
  expect((await compiled).status()).toBe(200);

  await page.getByRole('tab', { name: 'PDF' }).click();
  await page.getByRole('button', { name: 'Watermark', exact: true }).click();
  await page.getByLabel('Watermark text').fill('ELSEWHERE');
  await page.getByRole('button', { name: 'Put it on every page' }).click();
  await expect(pdfText(page)).toContainText('ELSEWHERE');

  await page.reload();
  await expect(page.getByRole('tab', { name: 'PDF' })).toBeVisible();
  await page.getByRole('button', { name: 'New', exact: true }).click();
  const dismissed = page.waitForResponse((response) => response.request().method() === 'DELETE');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Clear the desk' }).click();
  expect((await dismissed).status()).toBe(204);
  expect([...hosts]).toEqual([elsewhere.apiUrl]);

  await putDown(page, 'scans/probability-table+grammaire-subjonctif-image-only.pdf');
  await convertButton(page).click();
  await expect(page.getByRole('button', { name: /^Page 1, (being read|read)/ })).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(convertButton(page)).toHaveText('Convert 3 pages');
});
