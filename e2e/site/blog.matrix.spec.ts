import { visitor } from '../support/product/accounts.ts';
import { slugs } from '../support/screens/blog.ts';
import { expect, test } from '../support/test.ts';

test.describe('an unknown article', () => {
  test.use({ allowRefusals: true });

  test('is a 404, in either form', async ({ page }) => {
    expect((await page.goto('/blog/no-such-article'))?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Undefined!/);
    expect((await page.goto('/blog-react/no-such-article'))?.status()).toBe(404);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Undefined!/);
    await expect(page.getByRole('banner').getByRole('link', { name: 'Pricing' })).toBeVisible();
    await expect(page.getByRole('contentinfo').getByRole('link', { name: 'Contact' })).toBeVisible();
    await expect(page).toHaveTitle('Not found · Inkproof');
  });
});

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('an article can be read, and the menu of small screens opens', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 700 });
    await page.goto(`/blog/${slugs[1]}/index.html`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Keeping lecture notes/);
    await page.getByRole('button', { name: 'Open menu' }).click();
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Pricing' }).click();
    await expect(page).toHaveURL(/\/pricing$/);
  });
});

test('the blog and the app share the chosen colours', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await page.goto('/pricing');
  const light = await background();
  await page.getByRole('button', { name: 'Use dark colours' }).click();
  const dark = await background();
  expect(dark).not.toBe(light);
  await page.goto('/blog/en/');
  expect(await background()).toBe(dark);
  await page.getByRole('button', { name: 'Use light colours' }).click();
  expect(await background()).toBe(light);
  await page.goto('/pricing');
  expect(await background()).toBe(light);
});

test.describe('a visitor', () => {
  test.use(visitor);

  test('the app’s own pages have the same articles [§2 /blog-react, /blog-react/{slug}; §2 Blog: no auth buttons]', async ({
    page,
  }) => {
    const header = page.getByRole('banner');
    await page.goto('/blog-react');
    await page.getByRole('link', { name: /Physics notation/ }).click();
    await expect(page).toHaveURL(/\/blog-react\/physics-notation-in-latex$/);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Physics notation/);
    await expect(page.locator('.katex').first()).toBeVisible();
    await expect(header.getByRole('button', { name: /colours$/ })).toBeVisible();
    await expect(header.getByRole('button', { name: /^(Sign up|Login)$/ })).toHaveCount(0);
    // other pages have them
    await header.getByRole('link', { name: 'Pricing' }).click();
    await expect(header.getByRole('button', { name: /^(Sign up|Login)$/ })).toHaveCount(2);
  });
});

test('from the list to an article, its neighbour, and the converter', async ({ page }) => {
  await page.goto('/blog');
  await page
    .getByRole('link', { name: 'How to photograph handwritten notes so that they can be read' })
    .click();
  await expect(page).toHaveURL(/\/blog\/how-to-photograph-notes\/$/);
  await page.getByRole('navigation', { name: 'More articles' }).getByRole('link').click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Keeping lecture notes/);
  await page.getByRole('link', { name: 'Convert your notes' }).click();
  await expect(page).toHaveURL(/\/convert$/);
});
