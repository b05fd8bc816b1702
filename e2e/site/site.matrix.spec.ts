import { visitor } from '../support/product/accounts.ts';
import { expectPicture, readData } from '../support/screens/site.ts';
import { expect, test } from '../support/test.ts';

test.use(visitor);

test('the note in the sign-up form links to terms and privacy [§2 Auth dialog: terms and privacy, on sign-up]', async ({
  page,
  context,
}) => {
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign up' }).click();
  const dialog = page.getByRole('dialog');
  for (const [label, heading] of [
    ['Terms of Service', 'Terms of Service'],
    ['Privacy Policy', 'Privacy Policy'],
  ] as const) {
    const opened = context.waitForEvent('page');
    await dialog.getByRole('link', { name: label }).click();
    const other = await opened;
    await expect(other.getByRole('heading', { level: 1, name: heading })).toBeVisible();
    await other.close();
  }
});

test('structured data has the prices that the page shows; the header leads to the blog [§2 Blog: no auth buttons]', async ({
  page,
}) => {
  await page.goto('/pricing');
  const products = await readData(page);
  expect(products.map(({ name, offers }) => [name, offers])).toEqual(
    [
      ['Inkproof Starter', '4.90'],
      ['Inkproof Power Bundle', '7.90'],
    ].map(([name, price]) => [
      name,
      ['EUR', 'GBP'].map((priceCurrency) => expect.objectContaining({ price, priceCurrency })),
    ]),
  );
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Blog' }).click();
  await expect(page).toHaveURL(/\/blog\/en\/index\.html$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: /^(Sign up|Login)$/ })).toHaveCount(0);
});

test('the refund policy has its own address and the promised times [§1 18 or older; §2 /terms: anchor refund-policy; §9 Refunds: 7 days, 24 hours, 5-7 and 2 business days; §9 Minimum age 18, French law]', async ({
  page,
  context,
}) => {
  await page.goto('/terms#refund-policy');
  const policy = page.getByRole('region', { name: 'Refund policy' });
  await expect(policy.getByRole('heading')).toBeInViewport();
  for (const promise of [
    'refunded when you report them within 7 days',
    'when you complain within 24 hours',
    'processed in 5–7 business days',
    'answered within 2 business days',
  ])
    await expect(policy).toContainText(promise);
  await expect(page.getByRole('region', { name: 'Your account', exact: true })).toContainText(
    'You must be 18 or older.',
  );
  await expect(page.getByRole('region', { name: 'Law', exact: true })).toContainText(
    'French law governs these terms.',
  );
  // it is also linked from the contact page, and the contact address can be copied
  await page.goto('/contact');
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByRole('button', { name: 'Copy the address' }).click();
  await expect(page.getByRole('status').filter({ hasText: 'The address is copied.' })).toBeAttached();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('support@inkproof.example');
  await expect(page.getByRole('link', { name: 'Write an e-mail' })).toHaveAttribute(
    'href',
    'mailto:support@inkproof.example',
  );
  await page.getByRole('link', { name: 'refund policy' }).click();
  await expect(page).toHaveURL(/\/terms#refund-policy$/);
  await expect(policy.getByRole('heading')).toBeInViewport();
});

test('the physics page has its own notes, questions and structured data [§1 Another heading and other questions in the hero]', async ({
  page,
}) => {
  await page.goto('/physics-notes-to-latex');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Physics notes to LaTeX');
  await expect(page.locator('summary', { hasText: 'Does it correct my mathematics?' })).toHaveCount(0);
  await expect(page.getByText('\\section*{Harmonic oscillator}')).toBeVisible();
  await expect(page.getByRole('img', { name: /^Handwritten notes: a mass on a spring/ })).toBeVisible();
  await expectPicture(page);
  const [questions] = await readData(page);
  expect(questions).toMatchObject({ '@context': 'https://schema.org', '@type': 'FAQPage' });
  const faq = questions!.mainEntity as { name: string; acceptedAnswer: { text: string } }[];
  expect(faq.map(({ name }) => name)).toContain('Does it check my derivation?');
  for (const { name, acceptedAnswer } of faq) {
    await page.locator('summary', { hasText: name }).click();
    await expect(page.getByText(acceptedAnswer.text)).toBeVisible();
  }
  await page.getByRole('link', { name: 'Try it for free' }).first().click();
  await expect(page).toHaveURL(/\/convert$/);
});
