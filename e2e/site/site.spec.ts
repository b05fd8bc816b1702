import { visitor } from '../support/product/accounts.ts';
import { main } from '../support/product/addresses.ts';
import { expectPicture, readData } from '../support/screens/site.ts';
import { expect, test } from '../support/test.ts';

test.use(visitor);

const pages = [
  { path: '/contact', heading: 'Write to us', title: 'Contact · Inkproof' },
  { path: '/terms', heading: 'Terms of Service', title: 'Terms of Service · Inkproof' },
  { path: '/privacy', heading: 'Privacy Policy', title: 'Privacy Policy · Inkproof' },
  {
    path: '/physics-notes-to-latex',
    heading: 'Physics notes to LaTeX',
    title: 'Physics notes to LaTeX · Inkproof',
  },
];
/** Pages with a contact address in their text. */
const texts = pages.slice(0, 3);

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false });

  test('every page is there, with its own title and canonical address [§1 Legal and contact pages; §2 /privacy; §2 /terms; §2 /contact; §2 /physics-notes-to-latex]', async ({
    page,
  }) => {
    for (const { path, heading, title } of pages) {
      await page.goto(path);
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
      await expect(page).toHaveTitle(title);
      await expect(page.locator('link[rel="canonical"]')).toHaveAttribute('href', `${main.url}${path}`);
      if (texts.some((text) => text.path === path))
        await expect(page.getByRole('main')).toContainText('support@inkproof.example');
      const description = await page.locator('meta[name="description"]').getAttribute('content');
      expect(description!.length).toBeGreaterThan(50);
      expect(description!.length).toBeLessThanOrEqual(160);
    }
  });
});

test('from the landing page: who we are, a picture for other sites, and the footer to contact, terms and privacy, each shown from its top [§2 A change of route begins at the top; §2 Footer: Contact, Terms of Service, Privacy, year; §9 Logs 14 days, breach notice 72 hours]', async ({
  page,
}) => {
  await test.step('machines are told who we are', async () => {
    await page.goto('/');
    const organization = (await readData(page)).find((thing) => thing['@type'] === 'Organization');
    expect(organization).toMatchObject({
      name: 'Inkproof',
      url: `${main.url}/`,
      email: 'support@inkproof.example',
    });
    await expectPicture(page);
  });
  await test.step('the footer leads to contact, terms and privacy', async () => {
    await page.setViewportSize({ width: 390, height: 700 });
    const footer = page.getByRole('contentinfo');
    await expect(footer).toContainText(`© ${new Date().getFullYear()} Inkproof`);
    for (const [label, heading] of [
      ['Contact', 'Write to us'],
      ['Terms of Service', 'Terms of Service'],
      ['Privacy', 'Privacy Policy'],
    ] as const) {
      await footer.getByRole('link', { name: label, exact: true }).click();
      // each of them is longer than the window, so only scrolling can show it
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeInViewport();
      await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    }
  });
  await test.step('the privacy policy says what this installation does, and only that', async () => {
    const policy = page.getByRole('main');
    await expect(policy).toContainText('No AI service is involved: what you upload goes to nobody else.');
    await expect(policy).toContainText('api.country.is, get.geojs.io and ipwho.is');
    await expect(policy).toContainText(
      'LogsWhich call was made, when, and how it ended; no content, no e-mail or IP addresses. 14 days.',
    );
    await expect(policy).toContainText(
      'we tell the supervisory authority, and you if it puts you at risk, within 72 hours of learning of it.',
    );
    await expect(policy).not.toContainText('third-party AI service');
    await expect(policy).not.toContainText('Supabase');
    await expect(policy).not.toContainText('%');
  });
});

test('reading the public pages sets no cookie and contacts no other host', async ({ page, context }) => {
  const requested: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  for (const path of ['/', '/pricing', '/convert', ...pages.map(({ path }) => path)]) {
    await page.goto(path);
    await page.waitForLoadState('networkidle');
  }
  const foreign = requested.filter((url) => !url.startsWith(`${main.url}/`) && !/^(data|blob):/.test(url));
  expect(foreign).toEqual([]);
  expect(await context.cookies()).toEqual([]);
});

test('search engines get a sitemap, and are kept from private pages', async ({ request }) => {
  const robots = await (await request.get('/robots.txt')).text();
  expect(robots).toContain(`Sitemap: ${main.url}/sitemap.xml`);
  const sitemap = await request.get('/sitemap.xml');
  expect(sitemap.headers()['content-type']).toContain('application/xml');
  const listed = [...(await sitemap.text()).matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, address]) => address!);
  for (const path of pages.map(({ path }) => path)) expect(listed).toContain(`${main.url}${path}`);
  expect(listed).toContain(`${main.url}/`);
  expect(listed.filter((address) => address.includes('/blog/')).length).toBeGreaterThan(1);
  for (const address of listed) {
    const page = await request.get(address);
    expect([address, page.status(), page.headers()['x-robots-tag']]).toEqual([address, 200, undefined]);
  }
  for (const path of ['/documents', '/account', '/payment-success'])
    expect((await request.get(path)).headers()['x-robots-tag']).toBe('noindex');
});
