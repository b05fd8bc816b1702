/** Section 6: who may do what, and what is sent with calls. */
import { visitor } from '../support/product/accounts.ts';
import { openCaller, readIdentity } from '../support/product/caller.ts';
import { userMenu } from '../support/screens/dialog.ts';
import { expect, test } from '../support/test.ts';

test.describe('a visitor', () => {
  test.use(visitor);

  test('§6 Visitor: Login and Sign up; §2 Header, logged out: Login and Sign up', async ({ page }) => {
    await page.goto('/contact');
    const header = page.getByRole('banner');
    for (const name of ['Login', 'Sign up'])
      await expect(header.getByRole('button', { name, exact: true })).toBeVisible();
    await expect(userMenu(page)).toHaveCount(0);
    await expect(header.getByRole('link', { name: 'My documents' })).toHaveCount(0);
  });

  test('§7 The total is read: net_pages of id 1, one row', async ({ page }) => {
    const read = page.waitForRequest('**/rest/v1/page_conversion_totals*');
    await page.goto('/');
    const { searchParams } = new URL((await read).url());
    expect(Object.fromEntries(searchParams)).toEqual({ select: 'net_pages', id: 'eq.1' });
    const headers = (await read).headers();
    expect(headers.accept).toBe('application/vnd.pgrst.object+json');
    expect(headers.apikey).toBe((await readIdentity()).anonKey);
    expect(headers.authorization).toBeUndefined();
  });
});

test('§6 User: My documents, Billing history, Logout; §2 Header, logged in: My documents, Billing history, Logout', async ({
  page,
}) => {
  await page.goto('/contact');
  const header = page.getByRole('banner');
  await userMenu(page).click();
  const menu = page.getByRole('menu');
  await expect(menu.getByRole('menuitem', { name: 'Billing history' })).toBeVisible();
  await expect(menu.getByRole('menuitem', { name: 'Logout' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(header.getByRole('link', { name: 'My documents' })).toHaveAttribute('href', '/documents');
  await expect(header.getByRole('button', { name: /^(Login|Sign up)$/ })).toHaveCount(0);
});

test('§6 Calls carry the access token; §6 Reads carry the anonymous key, and the token where there is one; §7 The credits are read: three fields by user_id', async ({
  page,
}) => {
  const call = page.waitForRequest('**/api/v1/documents?*');
  const read = page.waitForRequest('**/rest/v1/user_credits*');
  await page.goto('/documents');
  const session = await page.evaluate(() => JSON.parse(localStorage.getItem('inkproof-auth')!));
  const bearer = `Bearer ${session.access_token}`;
  expect((await call).headers().authorization).toBe(bearer);
  const headers = (await read).headers();
  expect(headers.authorization).toBe(bearer);
  expect(headers.apikey).toBe((await readIdentity()).anonKey);
  expect(Object.fromEntries(new URL((await read).url()).searchParams)).toEqual({
    select: 'conversion_credits,assistant_credits,document_limit',
    user_id: `eq.${session.user.id}`,
  });
  // the key alone gives access to nobody's data
  const { url, anonKey } = await readIdentity();
  const alone = await fetch(`${url}/rest/v1/user_credits?select=user_id`, { headers: { apikey: anonKey } });
  expect(await alone.json()).toMatchObject({ code: '42501' });
});

/** The role in an access token. */
function readRole(token: string): string {
  return JSON.parse(Buffer.from(token.split('.')[1]!, 'base64url').toString()).role;
}

test('§6 No admin role', async ({ request }) => {
  expect(readRole((await openCaller()).token)).toBe('authenticated');
  const { paths } = await (await request.get('/api/v1/openapi.json')).json();
  expect(Object.keys(paths).length).toBeGreaterThan(20);
  expect(Object.keys(paths).filter((path) => /admin/i.test(path))).toEqual([]);
});
