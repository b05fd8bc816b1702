import type { Page } from '@playwright/test';
import { makePdf } from '../support/make-pdf.ts';
import { createAccount, main, openBrowser, password, visitor } from '../support/product/accounts.ts';
import {
  answerCountry,
  beginCheckout,
  card,
  expectBalances,
  signInAsNewUser,
} from '../support/screens/billing.ts';
import { convert, expect, expectGoodLooks, putDown, test } from '../support/test.ts';

test.use(visitor);

test.describe('buying', () => {
  test('a visitor who closes the dialog does not buy anything later', async ({ page }) => {
    const email = await createAccount();
    await page.goto('/pricing');
    await card(page, 'Power Bundle').getByRole('button', { name: 'Login to purchase' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('banner').getByRole('button', { name: 'Login' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('E-mail').fill(email);
    await dialog.getByLabel('Password', { exact: true }).fill(password);
    await dialog.getByRole('button', { name: 'Log In' }).click();
    await expect(card(page, 'Power Bundle').getByRole('button', { name: 'Get it!' })).toBeVisible();
    await expect(page).toHaveURL(/\/pricing$/);
  });

  test('a payment that takes days: the page says so, and the credits appear by themselves when it arrives', async ({
    page,
  }) => {
    await signInAsNewUser(page);
    await beginCheckout(page, 'Power Bundle');
    const checkout = page.url();
    await page.getByRole('button', { name: 'Pay by a delayed method' }).click();
    await expect(page.getByRole('heading', { name: 'Your payment is still pending' })).toBeVisible();
    await expectBalances(page, 10, 5);

    const bank = await page.context().newPage();
    await bank.goto(checkout);
    await bank.getByRole('button', { name: 'The money arrives' }).click();
    await expect(bank.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    await expectBalances(page, 140, 75);
  });

  test('a payment that never arrives: the page says so, and adds nothing', async ({ page }) => {
    await signInAsNewUser(page);
    await beginCheckout(page, 'Starter');
    const checkout = page.url();
    await page.getByRole('button', { name: 'Pay by a delayed method' }).click();
    await expect(page.getByRole('heading', { name: 'Your payment is still pending' })).toBeVisible();
    await page.goto(checkout);
    await page.getByRole('button', { name: 'The money does not arrive' }).click();
    await expect(page.getByRole('heading', { name: 'The payment did not go through' })).toBeVisible();
    await page.goto('/billing_history');
    await expect(page.getByText('Payment failed')).toBeVisible();
    await expect(page.getByText('You have 10 pages and 5 AI conversations.')).toBeVisible();
  });
});

test.describe('errors', () => {
  test.use({ allowRefusals: true });

  test('a checkout that is unknown or somebody else’s: the balance error, and a way on', async ({ page }) => {
    await signInAsNewUser(page);
    await page.goto('/payment-success?session_id=cs_of_nobody');
    await expect(page.getByRole('alert').getByText('Unable to fetch updated credit balance.')).toBeVisible();
    await expect(page.getByRole('link', { name: 'Go to Converter' })).toBeVisible();
  });

  test('the balance cannot be read: the page says so, and reads it on a second try [§8 Payment page: the balance]', async ({
    page,
  }) => {
    await signInAsNewUser(page);
    await beginCheckout(page, 'Starter');
    await page.context().route('**/rest/v1/user_credits*', (route) => route.abort());
    await page.getByRole('button', { name: 'Pay', exact: true }).click();
    await expect(page.getByRole('alert').getByText('Unable to fetch updated credit balance.')).toBeVisible();
    await page.context().unroute('**/rest/v1/user_credits*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(page.getByRole('heading', { name: 'Thank you' })).toBeVisible();
    await expectBalances(page, 70, 35);
  });

  test('a checkout cannot start: the page says so, nothing is charged, and the button works again [§4 Payment: a checkout that is refused goes nowhere]', async ({
    page,
  }) => {
    await signInAsNewUser(page);
    await page.goto('/pricing');
    await page.route('**/api/v1/create-checkout-session', (route) => route.abort());
    const button = card(page, 'Starter').getByRole('button', { name: 'Get it!' });
    await button.click();
    await expect(page.getByRole('alert').getByText('Network error.', { exact: false })).toBeVisible();
    await expect(page.getByText('Nothing was bought and nothing was charged.')).toBeVisible();
    await expect(button).toBeEnabled();
    // no address in an error message is followed
    const url = '/payment-success';
    await page.route('**/api/v1/create-checkout-session', (route) =>
      route.fulfill({
        status: 503,
        json: { code: 'PAYMENT_UNAVAILABLE', error: 'x', source: 'server', url },
      }),
    );
    await button.click();
    await expect(page.getByRole('alert')).toContainText('Payments are not available right now.');
    await expect(button).toBeEnabled();
    await expect(page).toHaveURL(/\/pricing$/);
  });
});

test.describe('prices', () => {
  test('a country that cannot be looked up gets euros [§2 Pricing: in GBP or EUR; §4 Country: not found, so EU]', async ({
    page,
  }) => {
    await page.route('**/api/v1/country', (route) =>
      route.fulfill({ body: 'no', contentType: 'text/plain' }),
    );
    await page.goto('/pricing');
    await expect(card(page, 'Power Bundle').getByText('€7.90')).toBeVisible();
    await expect(card(page, 'Power Bundle').getByText('Most popular')).toBeVisible();
    await expect(card(page, 'Free').getByText('€0')).toBeVisible();
    await expect(page.getByText(/^Prices are in GBP or EUR/)).toBeVisible();
  });

  test('nothing moves when the country is found late', async ({ page }) => {
    let answer = () => {};
    const requested = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/api/v1/country', async (route) => {
      await requested;
      await route.fulfill({ json: { country: 'GB' } });
    });
    await page.goto('/pricing');
    const button = card(page, 'Starter').getByRole('button');
    await expect(button).toBeVisible();
    await expect(card(page, 'Starter').getByText('4.90').filter({ visible: true })).toHaveCount(0);
    const before = await button.boundingBox();
    answer();
    await expect(card(page, 'Starter').getByText('£4.90')).toBeVisible();
    expect(await button.boundingBox()).toEqual(before);
    const shift = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          new PerformanceObserver((list) =>
            resolve(
              list
                .getEntries()
                .reduce((sum, entry) => sum + (entry as unknown as { value: number }).value, 0),
            ),
          ).observe({ type: 'layout-shift', buffered: true });
          setTimeout(resolve, 300, 0);
        }),
    );
    expect(shift).toBeLessThan(0.01);
  });

  test('signing up claims the free bundle, and those who have it see no button for it [§6 Visitor: free credits by signing up; §6 User: no button on the free card]', async ({
    page,
  }) => {
    await page.goto('/pricing');
    await card(page, 'Free').getByRole('button', { name: 'Claim' }).click();
    await expect(page.getByRole('dialog', { name: 'Sign Up' })).toBeVisible();
    await signInAsNewUser(page);
    await page.goto('/pricing');
    await expect(card(page, 'Starter').getByRole('button', { name: 'Get it!' })).toBeVisible();
    await expect(card(page, 'Free').getByRole('button')).toHaveCount(0);
  });

  test('copying the students’ code is reported to analytics [§2 Pricing: student discount; §7 Analytics: student_discount_click]', async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/pricing');
    await expect(
      page.getByText('Student? Enter STUDENT20 at checkout for 20% off any bundle.'),
    ).toBeVisible();
    const reported = page.evaluate(
      () =>
        new Promise((resolve) => {
          addEventListener('inkproof:analytics', (event) => resolve((event as CustomEvent).detail));
        }),
    );
    await page.getByRole('button', { name: 'Copy the code' }).click();
    expect(await reported).toEqual({ name: 'student_discount_click', at: '/pricing' });
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('STUDENT20');
    await expect(page.getByText('The code is copied.')).toBeAttached();
  });
  const days = [
    { now: '2026-07-31T23:59:59', isShown: false },
    { now: '2026-08-01T00:00:00', isShown: true },
    { now: '2026-10-31T23:59:59', isShown: true },
    { now: '2026-11-01T00:00:00', isShown: false },
  ];

  test('Back to School Deals are shown from August to the end of October [§2 Pricing: Back to School Deals until the end of October]', async ({
    browser,
  }) => {
    const context = await browser.newContext({ timezoneId: 'America/New_York', baseURL: main.url });
    const page = await context.newPage();
    for (const { now, isShown } of days)
      await test.step(now, async () => {
        // New York is four hours behind on all of these days
        await page.clock.setFixedTime(new Date(`${now}-04:00`));
        await page.goto('/pricing');
        await expect(card(page, 'Starter')).toBeVisible();
        const banner = page.getByRole('complementary', { name: 'Back to School Deals' });
        await expect(banner).toHaveCount(isShown ? 1 : 0);
        if (isShown) await expect(banner).toContainText('Special pricing until the end of October.');
      });
    await context.close();
  });
});

test.describe('credits in the converter', () => {
  test('a cancelled payment leaves the pages in place', async ({ page }) => {
    await signInAsNewUser(page);
    await page.goto('/convert');
    await page.getByLabel('Choose files').setInputFiles(await makePdf(11));
    await page.getByRole('button', { name: 'Get more pages' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('listitem').filter({ hasText: 'Power Bundle' }).getByRole('button').click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect(page.getByText('Your pages are still in the converter.', { exact: false })).toBeVisible();
    await page.getByRole('main').getByRole('link', { name: 'Go to Converter' }).click();
    await expect(page.getByText('Needs 11 pages; you have 10.')).toBeVisible();
  });
});

test.describe('the page total', () => {
  const counter = (page: Page) => page.locator('[data-count="digits"]');

  test('a converted page is pushed to everyone who is signed in', async ({ page, browser }) => {
    await signInAsNewUser(page);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.goto('/');
    await expect(counter(page)).toHaveText(/^[\d,]+$/);
    const read = async () => Number((await counter(page).textContent())?.replaceAll(',', ''));
    const before = await read();
    const other = await (await openBrowser(browser, await createAccount())).newPage();
    await putDown(other, 'pdf/probability-table.pdf');
    await convert(other);
    // other flows may convert at the same time
    await expect.poll(read).toBeGreaterThan(before);
  });

  test.describe('unavailable', () => {
    test.use({ allowRefusals: true });

    test('a total that cannot be read stays a dash [§8 Counter fetch failure: logged, still a dash]', async ({
      page,
    }) => {
      const warned = page.waitForEvent('console', (message) =>
        message.text().includes('The page total could not'),
      );
      await page.route('**/rest/v1/page_conversion_totals*', (route) =>
        route.fulfill({ status: 500, body: '' }),
      );
      await page.goto('/');
      await warned;
      await expect(counter(page)).toHaveText('–');
    });
  });
});

const cases = [
  { country: 'GB', starter: '£4.90', was: '£7.90' },
  { country: 'FR', starter: '€4.90', was: '€7.90' },
  { country: 'US', starter: '€4.90', was: '€7.90' },
  // no service knew the country, and this host's name does not suggest the United Kingdom
  { country: null, starter: '€4.90', was: '€7.90' },
];

test('pounds in the United Kingdom, euros anywhere else, and the payment page agrees [§4 Country: GB is pounds, everything else euro; §9 EUR, or GBP for the UK]', async ({
  page,
}) => {
  await signInAsNewUser(page);
  for (const { country, starter, was } of cases) {
    await answerCountry(page, country);
    await page.goto('/pricing');
    await expect(card(page, 'Starter').getByText(starter)).toBeVisible();
    await expect(card(page, 'Starter').getByText(was)).toBeVisible();
    await expect(card(page, 'Starter').getByText(was)).toHaveCSS('text-decoration-line', 'line-through');
    await card(page, 'Starter').getByRole('button', { name: 'Get it!' }).click();
    await expect(page.getByRole('heading', { name: `Pay ${starter}` })).toBeVisible();
  }
});

test('a page costs a page credit, a change an assistant credit, and the last one leads to the bundles [§3 Converter: creditRefreshTrigger; §4 Conversion: success refreshes the credits]', async ({
  page,
}) => {
  await signInAsNewUser(page);
  await putDown(page, 'pdf/probability-table.pdf');
  await expect(page.getByText('Uses 1 page of your 10.')).toBeVisible();
  await convert(page);
  await page.getByRole('button', { name: 'Your account' }).click();
  await expect(page.getByRole('menu').getByText('9 pages, 5 AI conversations')).toBeVisible();
  await page.keyboard.press('Escape');
  const left = ['5 AI conversations', '4 AI conversations', '3 AI conversations', '2 AI conversations'];
  const lines = [...left.map((count) => `Uses 1 of your ${count}.`), 'Uses your last AI conversation.'];
  for (const [index, line] of lines.entries()) {
    await expect(page.getByText(line)).toBeVisible();
    await page.getByLabel('Ask for a change').fill(`change the title to Number ${index}`);
    await page.getByRole('button', { name: 'Send the change request' }).click();
  }
  await expect(page.getByText('You have no AI conversations left.')).toBeVisible();
  await page.getByRole('button', { name: 'Get more' }).click();
  await expect(page.getByRole('dialog', { name: 'No AI conversations left' })).toBeVisible();
});

test('the billing history asks a visitor to log in; prices: accessible, nothing overflows', async ({
  page,
}) => {
  await page.clock.setFixedTime(new Date('2026-09-01T12:00:00Z'));
  await page.goto('/billing_history');
  await expect(page.getByRole('heading', { name: 'Log in to see your billing history' })).toBeVisible();
  await page.getByRole('main').getByRole('button', { name: 'Log In' }).click();
  await expect(page.getByRole('dialog', { name: 'Log In' })).toBeVisible();
  await page.goto('/pricing');
  await expect(page.getByRole('heading', { level: 1, name: 'Pay once, by the page' })).toBeVisible();
  await expect(card(page, 'Starter').getByText('€4.90')).toBeVisible();
  await expectGoodLooks(page);
});
