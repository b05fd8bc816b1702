/** Section 4: what moves on the landing page, leaving pages, prices by country, and the session's life cycle. */
import type { Page, Request } from '@playwright/test';
import { TOTP } from 'otpauth';
import { makePdf } from '../support/make-pdf.ts';
import {
  createAccount,
  main,
  openBrowser,
  password,
  storageOf,
  visitor,
} from '../support/product/accounts.ts';
import { holdClock, runUntil } from '../support/product/clock.ts';
import { logOut, userMenu } from '../support/screens/dialog.ts';
import { expect, test } from '../support/test.ts';

/** Opens the site with a new account. */
async function signInAsNewUser(page: Page, change: (session: Session) => void = () => {}): Promise<void> {
  const { localStorage: items } = await storageOf(main, await createAccount());
  const session = JSON.parse(items[0]!.value) as Session;
  change(session);
  await page.goto('/contact');
  await page.evaluate((text) => localStorage.setItem('inkproof-auth', text), JSON.stringify(session));
}

interface Session {
  expires_at: number;
  expires_in: number;
}

/** Records the names of the session's events, also across a reload. */
async function keepEvents(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    addEventListener('inkproof:session', (event) => {
      const kept = JSON.parse(sessionStorage.getItem('heard') ?? '[]');
      sessionStorage.setItem('heard', JSON.stringify([...kept, (event as CustomEvent).detail.event]));
    });
  });
  return () => page.evaluate(() => JSON.parse(sessionStorage.getItem('heard') ?? '[]'));
}

test.describe('the landing page', () => {
  test.use({ ...visitor, contextOptions: {} });

  test('§4 Counter: a dash while loading; §4 Counter: 1200 ms first, 400 ms after; §9 Counter 1200 and 400 ms', async ({
    page,
  }) => {
    const digits = page.locator('[data-count="digits"]');
    const read = async () => Number((await digits.textContent())?.replaceAll(',', ''));
    const answers = [Promise.withResolvers<number>(), Promise.withResolvers<number>()] as const;
    let requests = 0;
    await page.route('**/rest/v1/page_conversion_totals*', async (route) => {
      const net_pages = await answers[requests++ === 0 ? 0 : 1].promise;
      await route.fulfill({ json: { net_pages } });
    });
    const scripts: string[] = [];
    page.on('request', (request) => scripts.push(request.url()));
    await holdClock(page);
    await page.goto('/');
    await expect(digits).toHaveText('–');
    answers[0].resolve(10_000);
    const spoken = page.locator('[data-count="spoken"]');
    await expect(spoken).toHaveText('10,000');
    await expect(digits).toHaveText('0');
    await page.clock.runFor(600);
    expect(await read()).toBeGreaterThan(4000);
    await page.clock.runFor(500);
    expect(await read()).toBeLessThan(10_000);
    await page.clock.runFor(140);
    expect(await read()).toBe(10_000);

    await runUntil(page, () => requests > 1, { stepMs: 1000, limitMs: 60_000 });
    answers[1].resolve(20_000);
    await expect(spoken).toHaveText('20,000');
    // from the last number, not from zero
    expect(await read()).toBe(10_000);
    await page.clock.runFor(360);
    expect(await read()).toBeGreaterThan(10_000);
    expect(await read()).toBeLessThan(20_000);
    await page.clock.runFor(60);
    expect(await read()).toBe(20_000);
    // the client library is not loaded for it
    expect(scripts.filter((url) => url.includes('create-client'))).toEqual([]);
  });

  test('§1 Headline that types itself; §1 Words: six for notes against six for PDFs; §4 Typing: 100 ms a character, the note word, then the PDF word; §4 Typing: held 2000 ms; §4 Typing: both deleted at 50 ms a character, then the next pair; §9 Typing 100, deleting 50, holding 2000 ms', async ({
    page,
  }) => {
    await holdClock(page);
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toHaveAccessibleName(
      'Turn handwritten notes into LaTeX PDFs',
    );
    await page.evaluate(() => {
      const seen: { words: string; at: number }[] = [];
      Object.assign(window, { seen });
      const read = (part: string) => document.querySelector(`[data-word="${part}"]`)?.textContent ?? '';
      // both words are inserted one after the other: what counts is their state once time passes
      const look = () => {
        const words = `${read('note')}|${read('pdf')}`;
        const last = seen.at(-1);
        if (last?.at === performance.now()) last.words = words;
        else if (last?.words !== words) seen.push({ words, at: performance.now() });
      };
      new MutationObserver(look).observe(document.querySelector('h1')!, {
        subtree: true,
        childList: true,
        characterData: true,
      });
    });
    // six pairs and the beginning of the seventh, in steps that miss no change
    for (let step = 0; step < 70; step++) await page.clock.runFor(500);
    const seen = await page.evaluate(() => (window as unknown as { seen: Seen[] }).seen);
    const steps = seen.map(({ words, at }, index) => ({ words, lasts: (seen[index + 1]?.at ?? 0) - at }));
    steps.pop();
    const held = steps.filter(({ lasts }) => lasts === 2000).map(({ words }) => words);
    const pairs = [
      'handwritten|LaTeX',
      'math|searchable',
      'physics|organized',
      'grammar|editable',
      'messy|permanent',
      'scribbled|findable',
    ];
    expect([...held].sort().filter((words, index, all) => words !== all[index - 1])).toEqual(
      [...pairs].sort(),
    );
    const first = pairs.indexOf(held[0]!);
    expect(held.slice(0, 6)).toEqual([...pairs.slice(first), ...pairs.slice(0, first)]);
    const from = steps.findIndex(({ words }) => words === 'math|searchable');
    const typed = ['p', 'ph', 'phy', 'phys', 'physi', 'physic', 'physics'].map((word) => `${word}|`);
    expect(steps.slice(from, from + 12)).toEqual([
      { words: 'math|searchable', lasts: 2000 },
      { words: 'mat|searchabl', lasts: 50 },
      { words: 'ma|searchab', lasts: 50 },
      { words: 'm|searcha', lasts: 50 },
      { words: '|search', lasts: 50 },
      { words: '|searc', lasts: 50 },
      { words: '|sear', lasts: 50 },
      { words: '|sea', lasts: 50 },
      { words: '|se', lasts: 50 },
      { words: '|s', lasts: 50 },
      { words: '|', lasts: 50 },
      { words: 'p|', lasts: 100 },
    ]);
    expect(steps.slice(from + 11, from + 18)).toEqual(typed.map((words) => ({ words, lasts: 100 })));
    expect(steps[from + 18]).toEqual({ words: 'physics|o', lasts: 100 });
  });
});

interface Seen {
  words: string;
  at: number;
}

test.describe('prices where no country is found', () => {
  test.use({ ...visitor, allowRefusals: true });

  test('§4 Country: not found, pounds where the host name has uk or gb', async ({ page }) => {
    await page.route('**/api/v1/country', (route) => route.abort());
    for (const [host, price] of [
      ['uk.localhost', '£4.90'],
      ['notes-gb.localhost', '£4.90'],
      ['notes.localhost', '€4.90'],
    ] as const) {
      await page.goto(`http://${host}:${main.port}/pricing`);
      await expect(page.getByRole('region', { name: 'Starter', exact: true }).getByText(price)).toBeVisible();
    }
  });
});

test.describe('signing out', () => {
  test.use({ ...visitor, allowRefusals: true });

  test('§4 Logout: here, then everywhere; §4 Logout: a 403 is ignored; §7 Sign out: local, then global', async ({
    page,
  }) => {
    await signInAsNewUser(page);
    await page.goto('/pricing');
    const signOuts: { scope: string | null; isKept: boolean }[] = [];
    const warnings: string[] = [];
    page.on('console', (message) => message.type() === 'warning' && warnings.push(message.text()));
    await page.route('**/auth/v1/logout*', async (route) => {
      const isKept = await page.evaluate(() => localStorage.getItem('inkproof-auth') !== null);
      signOuts.push({ scope: new URL(route.request().url()).searchParams.get('scope'), isKept });
      // the client library turns this one into its own error, with another status
      const headers = { 'X-Supabase-Api-Version': '2024-01-01' };
      await route.fulfill({ status: 403, headers, json: { code: 'session_not_found', message: 'gone' } });
    });
    await logOut(page);
    await expect(page).toHaveURL(`${main.url}/`);
    await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeVisible();
    await expect(page.getByRole('alert')).toHaveCount(0);
    // by then this browser has no tokens left
    await expect.poll(() => signOuts).toEqual([{ scope: 'global', isKept: false }]);
    expect(warnings).toEqual([]);
  });

  test('§4 Logout: the pending action and the desk are cleared', async ({ page }) => {
    await signInAsNewUser(page);
    await page.goto('/convert');
    await page.getByLabel('Choose files').setInputFiles(await makePdf(11));
    await page.getByRole('button', { name: 'Get more pages' }).click();
    const bundles = page.getByRole('dialog').getByRole('listitem');
    await bundles.filter({ hasText: 'Starter' }).getByRole('button').click();
    // the pages wait for the return from the payment page
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect(page.getByText('Your pages are still in the converter.', { exact: false })).toBeVisible();
    await logOut(page);
    await expect(page).toHaveURL(`${main.url}/`);
    const left = await page.evaluate(
      () =>
        new Promise<number>((resolve, reject) => {
          const opening = indexedDB.open('inkproof-pending');
          opening.onerror = reject;
          opening.onsuccess = () => {
            const count = opening.result.transaction('actions').objectStore('actions').count();
            count.onsuccess = () => resolve(count.result);
          };
        }),
    );
    expect(left).toBe(0);
    await page.goto('/convert');
    await expect(page.getByRole('heading', { name: 'Add your notes' })).toBeVisible();
  });
});

test.describe('events', () => {
  test.use(visitor);

  test('§4 Events: USER_UPDATED; §4 Events: MFA_CHALLENGE_VERIFIED', async ({ page }) => {
    const events = await keepEvents(page);
    await signInAsNewUser(page);
    await page.goto('/account');
    const secrets = page.getByRole('region', { name: 'Password', exact: true });
    await secrets.getByRole('button', { name: 'Change password' }).click();
    await secrets.getByLabel('Current password', { exact: true }).fill(password);
    for (const label of ['New password', 'New password again'])
      await secrets.getByLabel(label, { exact: true }).fill('print stays when ink dries');
    await secrets.getByRole('button', { name: 'Change password' }).click();
    await expect(secrets.getByText('Your password has been changed.')).toBeVisible();
    await expect.poll(events).toContain('USER_UPDATED');

    const part = page.getByRole('region', { name: 'Two-factor', exact: true });
    await part.getByRole('button', { name: 'Set up two-factor' }).click();
    const secret = ((await part.getByRole('code').textContent()) ?? '').replaceAll(' ', '');
    await part.getByLabel('Code', { exact: true }).fill(new TOTP({ secret }).generate());
    await part.getByRole('button', { name: 'Turn on two-factor' }).click();
    await part.getByRole('button', { name: 'I have saved them' }).click();
    await expect(part.getByText('Two-factor is on.')).toBeVisible();
    await expect.poll(events).toContain('MFA_CHALLENGE_VERIFIED');
  });
});

/** For a session that is about to end: whether this is a request for a new one. */
function isRefresh(request: Request): boolean {
  return request.url().includes('/auth/v1/token?grant_type=refresh_token');
}

test.describe('the session', () => {
  test.use({ ...visitor, allowRefusals: true });

  test('§4 Session: checked every 30 s, refreshed by the time 90 s remain; §4 Events: TOKEN_REFRESHED', async ({
    page,
  }) => {
    const events = await keepEvents(page);
    await signInAsNewUser(page, (session) => {
      session.expires_at = Math.floor(Date.now() / 1000) + 300;
    });
    const refreshes: Request[] = [];
    page.on('request', (request) => isRefresh(request) && refreshes.push(request));
    await holdClock(page);
    await page.goto('/account');
    const heading = page.getByRole('heading', { level: 1, name: 'Account' });
    // what the page waits for before it is shown
    await runUntil(page, () => heading.isVisible(), { stepMs: 50, limitMs: 20_000 });
    await expect(heading).toBeVisible();
    const remains = () =>
      page.evaluate(() => JSON.parse(localStorage.getItem('inkproof-auth')!).expires_at - Date.now() / 1000);
    while ((await remains()) > 130) await page.clock.runFor(5_000);
    expect(refreshes).toHaveLength(0);
    while (refreshes.length === 0 && (await remains()) > 90) await page.clock.runFor(1_000);
    await expect.poll(events).toContain('TOKEN_REFRESHED');
    expect(refreshes).toHaveLength(1);
    expect(await remains()).toBeGreaterThan(3000);
  });

  test('§4 Session: retried after 200 ms, doubling, within 30 s; §4 Session: 502, 503 and 504 are tried again; §4 Session: signed out where it cannot be refreshed', async ({
    browser,
  }) => {
    // the client library writes each failure to the console
    const context = await openBrowser(browser, await createAccount());
    const page = await context.newPage();
    await page.addInitScript(() => {
      const calls: { from: number; to: number }[] = [];
      Object.assign(window, { calls });
      const real = window.fetch;
      window.fetch = async (...args) => {
        if (!String(args[0]).includes('grant_type=refresh_token')) return real(...args);
        const call = { from: Date.now(), to: 0 };
        calls.push(call);
        const answer = await real(...args);
        call.to = Date.now();
        return answer;
      };
    });
    const statuses = [502, 503, 504, 502, 503, 504, 502, 503];
    let count = 0;
    let isOver = false;
    await page.route('**/auth/v1/token?grant_type=refresh_token*', (route) =>
      isOver
        ? route.fulfill({ status: 400, json: { code: 'refresh_token_not_found', message: 'gone' } })
        : route.fulfill({ status: statuses[count++ % statuses.length]!, body: '' }),
    );
    await holdClock(page);
    await page.goto('/account');
    const heading = page.getByRole('heading', { level: 1, name: 'Account' });
    // what the page waits for before it is shown
    await runUntil(page, () => heading.isVisible(), { stepMs: 50, limitMs: 20_000 });
    await expect(heading).toBeVisible();
    // the page's requests have been answered: a call still waiting for a session that cannot be renewed
    // would be sent without one
    await page.waitForLoadState('networkidle');
    await page.evaluate(() => {
      const session = JSON.parse(localStorage.getItem('inkproof-auth')!);
      localStorage.setItem(
        'inkproof-auth',
        JSON.stringify({ ...session, expires_at: Math.floor(Date.now() / 1000) + 80 }),
      );
    });
    const listCalls = () => page.evaluate(() => (window as unknown as { calls: Call[] }).calls);
    const answers = async () => (await listCalls()).filter(({ to }) => to > 0).length;
    /** The page's time stands still while a request is pending, or it would run out before the response. */
    const runToAnswer = async (count: number, stepMs: number) => {
      await runUntil(page, async () => (await listCalls()).length >= count, { stepMs, limitMs: 60_000 });
      await expect.poll(answers).toBeGreaterThanOrEqual(count);
    };
    await runToAnswer(1, 500);
    for (let tries = 1; tries < 8; tries++) await runToAnswer(tries + 1, 50 * 2 ** tries);
    const calls = (await listCalls()).slice(0, 8);
    expect(calls.slice(1).map(({ from }, index) => from - calls[index]!.to)).toEqual([
      200, 400, 800, 1600, 3200, 6400, 12_800,
    ]);
    // the next would come after 30 s, when the session is checked again
    await runToAnswer(9, 500);
    const again = (await listCalls())[8]!;
    // the page's time may advance by some steps before the browser has really sent the request
    expect(Math.abs(again.from - calls[0]!.from - 30_000)).toBeLessThan(5000);
    // signed in until the server says that it is over
    await expect(userMenu(page)).toBeVisible();
    isOver = true;
    const known = (await listCalls()).length;
    await runUntil(page, async () => (await listCalls()).length > known, { stepMs: 500, limitMs: 60_000 });
    await expect(page.getByRole('heading', { name: 'Log in to see your account' })).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('inkproof-auth'))).toBeNull();
    await context.close();
  });

  test('§4 Session: signed out where it is missing', async ({ browser }) => {
    const context = await openBrowser(browser, await createAccount());
    const [page, other] = [await context.newPage(), await context.newPage()];
    await page.goto('/account');
    await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible();
    await other.goto('/contact');
    await other.evaluate(() => localStorage.clear());
    await expect(page.getByRole('heading', { name: 'Log in to see your account' })).toBeVisible();
    await context.close();
  });
});

interface Call {
  from: number;
  to: number;
}
