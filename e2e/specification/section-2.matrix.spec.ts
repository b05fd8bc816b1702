/** Section 2: every route has its screen; header, dialogs and cards have the required parts. */
import { openBrowser, visitor } from '../support/product/accounts.ts';
import { authDialog, submit } from '../support/screens/dialog.ts';
import { openLibrary } from '../support/screens/library.ts';
import { expect, test } from '../support/test.ts';

test('§2 /documents, /documents/folders, a folder: the dashboard', async ({ browser }) => {
  const library = await openLibrary();
  const folder = await library.createFolder('Physics');
  await library.createDocument('Second law', { folder_id: folder.id });
  const context = await openBrowser(browser, library.email);
  const page = await context.newPage();
  const main = page.getByRole('main');
  const links = (name: string) =>
    main.getByRole('link', { name, exact: true }).and(page.locator('[data-main]'));
  await page.goto('/documents');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('All documents');
  await expect(links('Second law')).toBeVisible();
  await page.goto('/documents/folders');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Folders');
  await expect(links('Physics')).toBeVisible();
  await expect(links('Second law')).toHaveCount(0);
  await page.goto(`/documents/folders/${folder.id}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Physics');
  await expect(links('Second law')).toBeVisible();
  await context.close();
});

test('§2 Loading: a centred spinner of this name', async ({ page }) => {
  const answered = Promise.withResolvers<void>();
  await page.route('**/api/v1/documents/**', async (route) => {
    await answered.promise;
    await route.abort();
  });
  await page.goto('/documents/00000000-0000-4000-8000-000000000000/pdf');
  const loading = page.getByRole('status', { name: 'Loading', exact: true });
  await expect(loading).toBeVisible();
  // the frame's spinner is replaced by the app's meanwhile: both boxes are taken at one moment
  const offCentre = () =>
    loading.evaluate((element) => {
      const middle = ({ x, y, width, height }: DOMRect) => [x + width / 2, y + height / 2] as const;
      const spinner = element.querySelector('svg');
      if (!spinner) return null;
      const [left, top] = middle(element.getBoundingClientRect());
      const [x, y] = middle(spinner.getBoundingClientRect());
      // exact to the pixel, and at the window's centre except for a scroll bar
      return [Math.trunc(x - left), Math.trunc(y - top), Math.trunc((left - innerWidth / 2) / 10)];
    });
  await expect.poll(async () => (await offCentre())?.map(Math.abs)).toEqual([0, 0, 0]);
});

test.describe('a visitor', () => {
  test.use(visitor);

  test('§2 /', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toHaveAccessibleName(
      'Turn handwritten notes into LaTeX PDFs',
    );
  });

  test('§2 /convert; §2 /convert is loaded on demand; §2 Header: logo to /, Home, Convert, Pricing, Blog to /blog/en', async ({
    page,
  }) => {
    const scripts: string[] = [];
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname);
    });
    await page.goto('/contact');
    const header = page.getByRole('banner');
    await expect(header.getByRole('link', { name: 'Inkproof, home' })).toHaveAttribute('href', '/');
    const links = header.getByRole('navigation', { name: 'Main' }).getByRole('link');
    const places = await links.evaluateAll((all) =>
      all.map((link) => [link.textContent, link.getAttribute('href')]),
    );
    expect(places).toEqual([
      ['Home', '/'],
      ['Convert', '/convert'],
      ['Pricing', '/pricing'],
      ['Blog', '/blog/en'],
    ]);
    await links.filter({ hasText: 'Pricing' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pay once, by the page');
    const before = new Set(scripts);
    expect([...before].filter((name) => /\/(desk|convert)-/.test(name))).toEqual([]);
    await links.filter({ hasText: 'Convert' }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Add your notes');
    await expect.poll(() => scripts.filter((name) => /\/(desk|convert)-/.test(name))).not.toEqual([]);
  });

  test('§2 /pricing; §2 Pricing: three bundle cards; §2 Pricing: included features; §3 Bundle: title, description, prices, credits, highlight; §9 Free: 10 pages, 5 conversations, 0; §9 Starter: 60 and 30, 4.90, was 7.90; §9 Power Bundle: 130 and 70, 7.90, was 11.90, Most popular', async ({
    page,
  }) => {
    for (const [country, sign] of [
      ['FR', '€'],
      ['GB', '£'],
    ]) {
      await page.route('**/api/v1/country', (route) => route.fulfill({ json: { country } }));
      await page.goto('/pricing');
      const cards = [
        {
          title: 'Free',
          lines: ['Try it on your own notes.', `${sign}0`, '10 pages', '5 AI conversations'],
        },
        {
          title: 'Starter',
          lines: [
            'A chapter or a few lectures.',
            `${sign}4.90`,
            `was ${sign}7.90`,
            '60 pages',
            '30 AI conversations',
          ],
        },
        {
          title: 'Power Bundle',
          lines: [
            'Most popular',
            'A whole course of notes.',
            `${sign}7.90`,
            `was ${sign}11.90`,
            '130 pages',
            '70 AI conversations',
          ],
        },
      ];
      for (const { title, lines } of cards) {
        const card = page.getByRole('region', { name: title, exact: true });
        await expect(card.getByText(lines.find((line) => line.startsWith(sign!))!)).toBeVisible();
        // the other currency is stacked under this one, hidden
        for (const line of lines) await expect(card).toContainText(line, { useInnerText: true });
      }
      await expect(page.getByText('Most popular')).toHaveCount(1);
      // these three, in this order
      const titles = page.getByRole('region').filter({ hasText: 'AI conversations' }).getByRole('heading');
      await expect(titles).toHaveText(cards.map(({ title }) => title));
    }
    const included = page.getByRole('region', { name: 'Included in every bundle' }).getByRole('listitem');
    await expect(included).toHaveText([
      'Document storageKeep hundreds of documents.',
      /^Folders\S/,
      'Full-text searchFind a document by its title or by what is in it.',
      /^LaTeX editor\S/,
    ]);
  });

  test('§2 Auth dialog: from Log In to Sign Up and back; §2 Auth dialog: Google, e-mail, password; §2 Auth dialog: Forgot your password, on login alone; §2 Auth dialog: terms and privacy, on sign-up', async ({
    page,
  }) => {
    await page.goto('/contact');
    await page.getByRole('button', { name: 'Login' }).click();
    const dialog = authDialog(page);
    const expectFields = async () => {
      await expect(dialog.getByRole('button', { name: 'Continue with Google' })).toBeVisible();
      await expect(dialog.getByLabel('E-mail')).toBeVisible();
      await expect(dialog.getByLabel('Password', { exact: true })).toBeVisible();
    };
    const forgot = dialog.getByRole('button', { name: 'Forgot your password?' });
    const agreement = dialog.getByText(
      'By signing up you agree to the Terms of Service and the Privacy Policy',
    );
    await expect(dialog).toHaveAccessibleName('Log In');
    await expectFields();
    await expect(forgot).toBeVisible();
    await expect(agreement).toHaveCount(0);
    await submit(page, 'Sign Up').click();
    await expect(dialog).toHaveAccessibleName('Sign Up');
    await expectFields();
    await expect(agreement).toBeVisible();
    await expect(forgot).toHaveCount(0);
    await submit(page, 'Log In').click();
    await expect(dialog).toHaveAccessibleName('Log In');
    await forgot.click();
    await expect(dialog.getByRole('button', { name: 'Send Password Reset Email' })).toBeVisible();
  });
});
