/** Section 1: who it is for, what is stored, what is counted. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test as httpTest } from '@playwright/test';
import { elsewhere, main, visitor } from '../support/product/accounts.ts';
import { type Caller, callApi, openCaller } from '../support/product/caller.ts';
import { latexOf } from '../support/screens/library.ts';
import { fixture, test } from '../support/test.ts';

test.describe('on public pages', () => {
  test.use(visitor);

  test('§1 For students, teachers and researchers; §1 Subjects: maths, physics, grammar', async ({
    page,
  }) => {
    await page.goto('/');
    await page.locator('summary', { hasText: 'Who may use it?' }).click();
    await expect(
      page.getByText(
        'It is made for students, teachers and researchers, and for notes of maths, physics, grammar and whatever else is written by hand.',
      ),
    ).toBeVisible();
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
      'run under French law by its sole founder, “we” below. Contact is by e-mail only: support@',
    );
    await expect(page.getByRole('region', { name: 'Support', exact: true })).toContainText(
      'Questions about billing are answered within 24 hours, all others in 1–2 business days.',
    );
    await expect(page.getByRole('region', { name: 'Changes', exact: true })).toContainText(
      'When these terms change, we announce it 30 days before they take effect, by e-mail to everyone with an account and on this page.',
    );
  });
});

/** What the product stores of one conversion outside the database: files, by their content's hash. */
function listFiles(conversionId: string): string[] {
  const folder = path.join(readFileSync(main.dataDirFile, 'utf8'), 'files/conversions', conversionId);
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) => {
      try {
        return hashOf(readFileSync(path.join(entry.parentPath, entry.name)));
      } catch {
        // removed while being read
        return [];
      }
    });
}

const hashOf = (content: Buffer) => createHash('sha256').update(content).digest('hex');

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
    const upload = readFileSync(fixture('pdf/probability-table.pdf'));
    const form = new FormData();
    form.set('file', new File([upload], 'notes.pdf', { type: 'application/pdf' }));
    const answer = await ada.process(form);
    const events = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    const id = (await events.read()).value!.match(/"conversion_id":"([^"]+)"/)![1]!;
    expect(listFiles(id)).toContain(hashOf(upload));
    for (let event = await events.read(); !event.done; event = await events.read());
    await expect.poll(() => listFiles(id), { timeout: 20_000 }).not.toContain(hashOf(upload));
    // nothing is saved by itself, and what is saved stays, even after its conversion is deleted with all its
    // files
    expect(await (await ada.call('GET', '/documents')).json()).toMatchObject({ total: 0 });
    const saved = await ada.call('POST', '/documents', { title: 'Kept', conversion_id: id });
    expect(saved.status).toBe(201);
    expect((await ada.call('DELETE', `/conversions/${id}`)).status).toBe(204);
    await expect.poll(() => listFiles(id)).toEqual([]);
    const response = await ada.call('GET', `/documents/${(await saved.json()).id}`);
    expect(await response.json()).toMatchObject({
      title: 'Kept',
      latex: expect.stringContaining('common distributions'),
    });
  });
});

httpTest('§1 Counter: refunded pages are not in it', async () => {
  // the total is shared by all, and hardly any flow converts on this product
  const grace = await openCaller(elsewhere);
  const accept = { Accept: 'application/vnd.pgrst.object+json' };
  const readTotal = async () =>
    (await (await grace.read('page_conversion_totals?select=net_pages&id=eq.1', accept)).json()).net_pages;
  const readCredits = async () =>
    (await (await grace.read('user_credits?select=conversion_credits', accept)).json()).conversion_credits;
  const process = (name: string) => {
    const form = new FormData();
    form.set('file', new File([readFileSync(fixture(name))], 'notes.pdf', { type: 'application/pdf' }));
    return grace.process(form);
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
    // delivered pages count individually: more of them than any other flow converts here
    await (await process('pdf/calculus-limits-integrals.pdf')).text();
    expect(await readCredits()).toBe(credits - 4);
    expect(await readTotal()).toBe(total + 4);
  }).toPass({ timeout: 90_000 });
});
