import type { NewShare } from '#shared/api/library.ts';
import { visitor } from '../support/product/accounts.ts';
import {
  call,
  pageCount,
  pageField,
  prepareLongDocument,
  sheets,
  thumbnails,
  title,
} from '../support/screens/viewer.ts';
import { expect, listAxeViolations, test } from '../support/test.ts';

const long = prepareLongDocument();

test('leafs by field, small pages, keys, outline and links; searches: all hits, in any case, with and without accents, through ligatures [§2 A page for the PDF alone]', async ({
  page,
}) => {
  await long.open(page);
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  await expect(page).toHaveTitle(`${title} · Inkproof`);
  await expect(page.getByText(`/ ${pageCount}`)).toBeVisible();
  await pageField(page).fill('12');
  await pageField(page).press('Enter');
  await expect(page.locator('.page[data-page-number="12"] .textLayer')).toContainText('Sheet 12');

  const twelfth = thumbnails(page).getByRole('button', { name: 'Page 12', exact: true });
  await expect(twelfth).toHaveAttribute('aria-current', 'page');
  await expect(twelfth.locator('canvas')).toBeVisible();
  await thumbnails(page).getByRole('button', { name: 'Page 14', exact: true }).click();
  await expect(pageField(page)).toHaveValue('14');

  await page.keyboard.press('ArrowRight');
  await expect(pageField(page)).toHaveValue('15');
  await page.keyboard.press('ArrowLeft');
  await expect(pageField(page)).toHaveValue('14');
  await sheets(page).focus();
  await page.keyboard.press('End');
  await expect(pageField(page)).toHaveValue(`${pageCount}`);
  await page.keyboard.press('Home');
  await expect(pageField(page)).toHaveValue('1');
  await page.keyboard.press('PageDown');
  await page.keyboard.press('PageDown');
  await expect(pageField(page)).toHaveValue('2');

  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: 'Keyboard' })).toContainText('Search in the PDF');
  expect(await listAxeViolations(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await page.getByRole('tab', { name: 'Outline' }).click();
  await page.getByRole('button', { name: 'The end' }).click();
  await expect(pageField(page)).toHaveValue(`${pageCount}`);
  await page.getByRole('button', { name: 'First steps' }).click();
  await expect(pageField(page)).toHaveValue('1');

  const outside = page.locator('.annotationLayer a[href^="https://example.com/elsewhere"]');
  await expect(outside).toHaveAttribute('target', '_blank');
  await expect(outside).toHaveAttribute('rel', /noopener/);
  await page.locator('.annotationLayer a:not([href^="http"])').first().click();
  await expect(pageField(page)).toHaveValue(`${pageCount}`);

  // where one was is where one comes back to
  await page.reload();
  await expect(pageField(page)).toHaveValue(`${pageCount}`);

  await pageField(page).fill('1');
  await pageField(page).press('Enter');
  await expect(page.locator('.textLayer').first()).toContainText('has a Needle');
  await page.keyboard.press('Control+f');
  const field = page.getByRole('searchbox', { name: 'Search in the PDF' });
  await expect(field).toBeFocused();
  const status = page.getByRole('search').getByRole('status');
  await field.fill('needle');
  await expect(status).toHaveText(`1 of ${pageCount - 1}`);
  await expect(page.locator('.textLayer .highlight.selected')).toHaveText('Needle');
  await field.press('Enter');
  await expect(status).toHaveText(`2 of ${pageCount - 1}`);
  await expect(pageField(page)).toHaveValue('2');
  await page.getByRole('button', { name: 'Previous match' }).click();
  await expect(status).toHaveText(`1 of ${pageCount - 1}`);
  for (const words of ['EFFICIENT OFFICE', 'cafe', 'CAFÉ']) {
    await field.fill(words);
    await expect(status).toHaveText('1 of 1');
  }
  await field.fill('haystack');
  await expect(status).toHaveText('Not found');
  expect(await listAxeViolations(page)).toEqual([]);
  await field.press('Escape');
  await expect(field).toHaveCount(0);
  await expect(page.locator('.textLayer .highlight')).toHaveCount(0);
});

test.describe('signed out', () => {
  test.use({ ...visitor, allowRefusals: true });

  test('the owner’s page asks to log in; a link opens title and PDF until it is revoked', async ({
    page,
  }) => {
    await page.goto(long.address());
    await expect(page.getByRole('heading', { name: 'Log in to open this document' })).toBeVisible();

    const share = await call<NewShare>('POST', `/documents/${long.id()}/shares`);
    const tokens: (string | undefined)[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/v1/shared/')) tokens.push(request.headers().authorization);
    });
    const answer = await page.goto(`/shared/${share.token}`);
    expect(answer?.status()).toBe(200);
    expect(answer?.headers()).toMatchObject({
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
    });
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await expect(page.locator('.textLayer').first()).toContainText('has a Needle');
    await expect(page.locator('meta[name="robots"]')).toHaveAttribute('content', 'noindex, nofollow');
    await expect(page.getByRole('link', { name: 'Edit', exact: true })).toHaveCount(0);
    await expect(page.locator('body')).not.toContainText('@');
    expect(tokens).toEqual([undefined, undefined]);
    expect(await listAxeViolations(page)).toEqual([]);
    await page.keyboard.press('Control+f');
    await page.getByRole('searchbox').fill('nothing follows');
    await expect(page.getByRole('search').getByRole('status')).toHaveText('1 of 1');
    // it led to its page, and that is where a reload comes back to
    await expect(pageField(page)).toHaveValue(`${pageCount}`);
    await page.reload();
    await expect(pageField(page)).toHaveValue(`${pageCount}`);
    await expect(page.locator(`.page[data-page-number="${pageCount}"] .textLayer`)).toContainText(
      'Nothing follows',
    );

    await call('DELETE', `/documents/${long.id()}/shares/${share.id}`);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'This link opens nothing' })).toBeVisible();
    expect(await listAxeViolations(page)).toEqual([]);
    await page.goto('/shared/no-such-link');
    await expect(page.getByRole('heading', { level: 1, name: 'This link opens nothing' })).toBeVisible();
  });
});
