/** Section 1: whom it is for, what is kept, what is counted. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test as httpTest } from '@playwright/test';
import { elsewhere, main, visitor } from '../support/accounts.ts';
import { type Caller, callApi, openCaller } from '../support/caller.ts';
import { latexOf } from '../support/library.ts';
import { fixture, test } from '../support/test.ts';

test.describe('said to everybody', () => {
  test.use(visitor);

  test('§1 For students, teachers and researchers; §1 Subjects: maths, physics, grammar', async ({
    page,
  }) => {
    await page.goto('/');
    await page.locator('summary', { hasText: 'Who may use it?' }).click();
    await expect(page.getByText('It is made for students, teachers and researchers.')).toBeVisible();
    const pairs = JSON.parse((await page.locator('[data-pairs]').getAttribute('data-pairs'))!);
    expect(pairs.map(([note]: [string]) => note)).toEqual(
      expect.arrayContaining(['math', 'physics', 'grammar']),
    );
  });

  test('§1 One-time bundles, no subscription, credits that never expire', async ({ page }) => {
    await page.goto('/pricing');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pay once, by the page');
    await expect(page.getByText('No subscription, and credits never expire.')).toBeVisible();
  });

  test('§1 A sole founder, by e-mail only; §9 Support: billing within 24 h, others 1-2 business days; §9 Terms change notice 30 days', async ({
    page,
  }) => {
    await page.goto('/contact');
    await expect(page.getByText('Inkproof is made and run by one person.')).toBeVisible();
    await expect(page.getByText('There is no telephone and no chat.')).toBeVisible();
    const matters = page.getByRole('main');
    await expect(matters.getByText('Answered within 24 hours')).toHaveCount(1);
    await expect(matters.getByText('Answered in 1–2 business days')).toHaveCount(3);
    await page.goto('/terms');
    await expect(page.getByRole('region', { name: 'Who we are' })).toContainText(
      'run by its sole founder, “we” below, under French law. Contact is by e-mail only: support@',
    );
    await expect(page.getByRole('region', { name: 'Support', exact: true })).toContainText(
      'Questions about billing are answered within 24 hours, all others in 1–2 business days.',
    );
    await expect(page.getByRole('region', { name: 'Changes', exact: true })).toContainText('30 days');
  });
});

/** What the product keeps of this content under its data folder, the database aside. */
function findKept(address: typeof main, content: Buffer): string[] {
  const wanted = createHash('sha256').update(content).digest('hex');
  const root = path.join(readFileSync(address.dataDirFile, 'utf8'), 'files');
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => {
      try {
        return createHash('sha256').update(readFileSync(file)).digest('hex') === wanted;
      } catch {
        // removed while it was looked at
        return false;
      }
    });
}

httpTest.describe('over HTTP', () => {
  let ada: Caller;
  httpTest.beforeAll(async () => {
    ada = await openCaller();
  });

  httpTest('§1 Visitors are served, and users', async () => {
    const compiled = await callApi('POST', '/compile', { latex: latexOf('For nobody in particular.') });
    expect(compiled.headers.get('content-type')).toBe('application/pdf');
    expect(await (await ada.call('GET', '/documents')).json()).toEqual({ documents: [], total: 0 });
    expect((await callApi('GET', '/documents')).status).toBe(401);
  });

  httpTest('§1 Uploads are deleted after processing; §1 Files are kept only if they are saved', async () => {
    // another file than any other flow's
    const upload = Buffer.concat([
      readFileSync(fixture('pdf/probability-table.pdf')),
      Buffer.from(`\n% ${ada.userId}\n`),
    ]);
    const form = new FormData();
    form.set('file', new File([upload], 'notes.pdf', { type: 'application/pdf' }));
    const answer = await ada.call('POST', '/process', form);
    const { conversion_id } = await answer.json();
    await expect.poll(() => findKept(main, upload), { timeout: 20_000 }).toEqual([]);
    expect(await (await ada.call('GET', '/documents')).json()).toMatchObject({ total: 0 });
    const saved = await ada.call('POST', '/documents', { title: 'Kept', conversion_id });
    expect(saved.status).toBe(201);
    expect(await (await ada.call('GET', '/documents')).json()).toMatchObject({
      documents: [{ title: 'Kept' }],
      total: 1,
    });
  });
});

httpTest('§1 Counter: refunded pages are not in it', async () => {
  // the total is one for all, and hardly any flow converts on this product
  const grace = await openCaller(elsewhere);
  const accept = { Accept: 'application/vnd.pgrst.object+json' };
  const readTotal = async () =>
    (await (await grace.read('page_conversion_totals?select=net_pages&id=eq.1', accept)).json()).net_pages;
  const readCredits = async () =>
    (await (await grace.read('user_credits?select=conversion_credits', accept)).json()).conversion_credits;
  const process = (name: string) => {
    const form = new FormData();
    form.set('file', new File([readFileSync(fixture(name))], 'notes.pdf', { type: 'application/pdf' }));
    return fetch(`${elsewhere.apiUrl}/api/v1/process`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${grace.token}`, Accept: 'text/event-stream' },
      body: form,
    });
  };
  await expect(async () => {
    const [total, credits] = [await readTotal(), await readCredits()];
    const started = await process('scans/probability-table+grammaire-subjonctif-image-only.pdf');
    const events = started.body!.getReader();
    const accepted = new TextDecoder().decode((await events.read()).value);
    expect(await readCredits()).toBe(credits - 3);
    const id = accepted.match(/"conversion_id":"([^"]+)"/)![1];
    expect((await grace.call('POST', `/conversions/${id}/cancel`)).ok).toBe(true);
    await events.cancel();
    expect(await readCredits()).toBe(credits);
    expect(await readTotal()).toBe(total);
    // what is delivered counts
    await (await process('pdf/probability-table.pdf')).text();
    expect(await readCredits()).toBe(credits - 1);
    expect(await readTotal()).toBe(total + 1);
  }).toPass({ timeout: 90_000 });
});
