import { visitor } from '../support/product/accounts.ts';
import { readIdentity } from '../support/product/caller.ts';
import { keepEvents } from '../support/screens/landing.ts';
import { expect, test } from '../support/test.ts';

test.use({ ...visitor, contextOptions: {} });

test('can be read without scripts [§1 A collapsible origin story; §6 Landing: anyone may read it]', async ({
  browser,
}) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto('/');
  await expect(page.getByText('gives you LaTeX that compiles')).toBeVisible();
  const story = page.getByText('Mathematics still happens on paper.');
  await expect(story).toBeHidden();
  await page.getByText('Why Inkproof exists').click();
  await expect(story).toBeVisible();
  await page.getByText('Why Inkproof exists').click();
  await expect(story).toBeHidden();
  await expect(page.getByText('€4.90', { exact: true })).toBeVisible();
  await context.close();
});

test('prices are in pounds for a device in the UK', async ({ browser }) => {
  const context = await browser.newContext({ timezoneId: 'Europe/London' });
  const page = await context.newPage();
  await page.goto('/');
  await expect(page.getByText('£4.90', { exact: true })).toBeVisible();
  await expect(page.getByText('€4.90')).toHaveCount(0);
  await context.close();
});

test('a visitor reads the counter, moves the edge, and presses to try it; analytics gets the press once [§1 Counter of all pages converted; §1 Try it for free, for a visitor; §7 Analytics: cta_try_it_for_free]', async ({
  page,
}) => {
  await keepEvents(page);
  await test.step('the counter shows a dash, then the number', async () => {
    let answer = () => {};
    const requested = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/rest/v1/page_conversion_totals**', async (route) => {
      await requested;
      await route.continue();
    });
    const { url, anonKey } = await readIdentity();
    const readTotal = async () => {
      const answered = await fetch(`${url}/rest/v1/page_conversion_totals?select=net_pages`, {
        headers: { apikey: anonKey },
      });
      return (await answered.json())[0].net_pages as number;
    };
    const before = await readTotal();
    await page.goto('/');
    const digits = page.locator('[data-count="digits"]');
    await expect(digits).toHaveText('–');
    answer();
    await expect(digits).toHaveText(/^[\d,]+$/);
    // other flows convert meanwhile
    const read = async () => Number((await digits.textContent())?.replaceAll(',', ''));
    await expect.poll(read).toBeGreaterThanOrEqual(before);
    expect(await read()).toBeLessThanOrEqual(await readTotal());
  });
  await test.step('the edge between ink and print moves by keyboard and by hand', async () => {
    const edge = page.getByRole('slider', { name: 'Compare handwriting and print' });
    await edge.focus();
    await page.keyboard.press('ArrowRight');
    await expect(edge).toHaveAttribute('aria-valuetext', '51 % ink, 49 % print');
    await page.keyboard.press('End');
    await expect(edge).toHaveValue('100');
    const box = (await edge.boundingBox())!;
    await page.mouse.click(box.x + box.width * 0.25, box.y + 40);
    await expect(edge).toHaveValue('25');
  });
  await test.step('the press is told once', async () => {
    await expect(page.getByRole('link', { name: 'Start converting', exact: true })).toHaveCount(0);
    await page.getByRole('link', { name: 'Try it for free' }).first().click();
    await expect(page).toHaveURL(/\/convert$/);
    expect(await page.evaluate(() => sessionStorage.getItem('told'))).toBe('cta_try_it_for_free;');
  });
});
