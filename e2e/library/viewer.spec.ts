import type { NewShare } from '#shared/api/library.ts';
import { visitor } from '../support/product/accounts.ts';
import { call, pageCount, pageField, prepareLongDocument, title } from '../support/screens/viewer.ts';
import { expect, listAxeViolations, test } from '../support/test.ts';

const long = prepareLongDocument();

test.describe('signed out', () => {
  test.use({ ...visitor, allowRefusals: true });

  test('the owner’s page asks to log in; a link shows title and PDF until it is revoked', async ({
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
    // it led to its page, and a reload returns there
    await expect(pageField(page)).toHaveValue(`${pageCount}`);
    await page.reload();
    await expect(pageField(page)).toHaveValue(`${pageCount}`);
    await expect(page.locator(`.page[data-page-number="${pageCount}"] .textLayer`)).toContainText(
      'Nothing follows',
    );

    await call('DELETE', `/documents/${long.id()}/shares/${share.id}`);
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: 'This link does not work' })).toBeVisible();
    expect(await listAxeViolations(page)).toEqual([]);
    await page.goto('/shared/no-such-link');
    await expect(page.getByRole('heading', { level: 1, name: 'This link does not work' })).toBeVisible();
  });
});
