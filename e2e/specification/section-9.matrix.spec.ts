/** Section 9: constants that no other section shows: the live connection, lists, caches. */
import { expect, test as httpTest, type Page } from '@playwright/test';
import { createAccount, openBrowser, visitor } from '../support/product/accounts.ts';
import { openCaller, readIdentity } from '../support/product/caller.ts';
import { holdClock, runUntil } from '../support/product/clock.ts';
import { openLibrary } from '../support/screens/library.ts';
import { test } from '../support/test.ts';

httpTest('§9 Listing: limit 100, offset 0, by name ascending', async () => {
  const library = await openLibrary();
  const names = Array.from(
    { length: 101 },
    (_, index) => `Folder ${String((index * 37) % 101).padStart(3, '0')}`,
  );
  for (const name of names) await library.createFolder(name);
  const { folders, total } = await library.call<{ folders: { name: string }[]; total: number }>(
    'GET',
    '/folders',
  );
  expect(total).toBe(101);
  expect(folders.map(({ name }) => name)).toEqual([...names].sort().slice(0, 100));
  for (const title of ['Second', 'First', 'Third']) await library.createDocument(title);
  const listTitles = async (query: string) => {
    const answer = await library.call<{ documents: { title: string }[] }>('GET', `/documents${query}`);
    return answer.documents.map(({ title }) => title);
  };
  expect(await listTitles('')).toEqual(['First', 'Second', 'Third']);
  expect(await listTitles('?limit=1&offset=1')).toEqual(['Second']);
});

httpTest('§9 Cache control 3600', async ({ request }) => {
  for (const path of ['/og/landing.png', '/robots.txt', '/sitemap.xml'])
    expect((await request.get(path)).headers()['cache-control'], path).toBe('public, max-age=3600');
});

httpTest('§9 Key set cache 10 minutes', async ({ request }) => {
  const { url } = await readIdentity();
  const answer = await request.get(`${url}/auth/v1/.well-known/jwks.json`);
  expect(answer.headers()['cache-control']).toBe('public, max-age=600');
  expect((await answer.json()).keys.length).toBeGreaterThan(0);
});

httpTest('§9 Default database schema public', async () => {
  const ada = await openCaller();
  const query = 'user_credits?select=user_id';
  const [byDefault, asNamed] = await Promise.all([
    ada.read(query),
    ada.read(query, { 'Accept-Profile': 'public' }),
  ]);
  expect(await byDefault.json()).toEqual([{ user_id: ada.userId }]);
  expect(await asNamed.json()).toEqual([{ user_id: ada.userId }]);
  expect((await ada.read(query, { 'Accept-Profile': 'auth' })).status).toBe(406);
});

interface Sent {
  at: number;
  /** As sent over the wire. */
  text: string;
}

/** The live connection's client is loaded when a row is followed, which takes no time of the page's clock. */
const waitForSent = (page: Page, event: string) =>
  expect
    .poll(async () => {
      await page.clock.runFor(10);
      return await page.evaluate(
        (name) => (window as unknown as { sent: Sent[] }).sent.some(({ text }) => text.includes(name)),
        event,
      );
    })
    .toBe(true);

test.describe('the live connection', () => {
  test.use({ ...visitor, allowRefusals: true });

  test('§9 Realtime: heartbeat 25 s', async ({ browser }) => {
    const context = await openBrowser(browser, await createAccount());
    const page = await context.newPage();
    await page.addInitScript(() => {
      const sent: Sent[] = [];
      Object.assign(window, { sent });
      const real = WebSocket.prototype.send;
      WebSocket.prototype.send = function send(data) {
        sent.push({ at: Date.now(), text: String(data) });
        real.call(this, data);
      };
    });
    await holdClock(page);
    const listBeats = () =>
      page.evaluate(() =>
        (window as unknown as { sent: Sent[] }).sent.filter(({ text }) => text.includes('"heartbeat"')),
      );
    let replies = 0;
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (String(payload).includes('"phoenix"')) replies++;
      }),
    );
    await page.goto('/billing_history');
    await waitForSent(page, 'phx_join');
    for (let beats = 1; beats <= 3; beats++) {
      await runUntil(page, async () => (await listBeats()).length >= beats, { stepMs: 500, limitMs: 90_000 });
      // the reply takes no time of the page's clock
      await expect.poll(() => replies).toBeGreaterThanOrEqual(beats);
    }
    const [first, second, third] = await listBeats();
    const seconds = (from: Sent, to: Sent) => Math.round((to.at - from.at) / 1000);
    expect([seconds(first!, second!), seconds(second!, third!)]).toEqual([25, 25]);
    await context.close();
  });

  test('§9 Realtime: request timeout 10 s', async ({ browser }) => {
    const context = await openBrowser(browser, await createAccount());
    const page = await context.newPage();
    await page.addInitScript(() => {
      const sent: Sent[] = [];
      Object.assign(window, { sent });
      // a server that receives and never answers
      class Mute extends EventTarget {
        readyState = 0;
        onopen: (() => void) | null = null;
        constructor() {
          super();
          queueMicrotask(() => {
            this.readyState = 1;
            this.onopen?.();
          });
        }
        send(data: unknown) {
          sent.push({ at: Date.now(), text: String(data) });
        }
        close() {
          this.readyState = 3;
        }
      }
      Object.assign(window, { WebSocket: Mute });
    });
    await holdClock(page);
    await page.goto('/billing_history');
    const find = (event: string) =>
      page.evaluate(
        (name) => (window as unknown as { sent: Sent[] }).sent.find(({ text }) => text.includes(name)),
        event,
      );
    await waitForSent(page, 'phx_join');
    await runUntil(page, async () => (await find('phx_leave')) !== undefined, {
      stepMs: 1000,
      limitMs: 60_000,
    });
    expect((await find('phx_leave'))!.at - (await find('phx_join'))!.at).toBe(10_000);
    await context.close();
  });

  test('§9 Realtime: reconnect after 1, 2, 5, then 10 s', async ({ browser }) => {
    const context = await openBrowser(browser, await createAccount());
    const page = await context.newPage();
    await page.addInitScript(() => {
      const tries: number[] = [];
      const ends: number[] = [];
      Object.assign(window, { tries, ends });
      // a server that cannot be reached
      class Dead extends EventTarget {
        readyState = 0;
        onclose: ((event: unknown) => void) | null = null;
        constructor() {
          super();
          tries.push(Date.now());
          // a separate task, which does not wait for the page's clock
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => {
            this.readyState = 3;
            ends.push(Date.now());
            this.onclose?.({ code: 1006, reason: '', wasClean: false });
          };
          port2.postMessage(null);
        }
        send() {}
        close() {
          this.readyState = 3;
        }
      }
      Object.assign(window, { WebSocket: Dead });
    });
    await holdClock(page);
    await page.goto('/billing_history');
    const list = () =>
      page.evaluate(() => {
        const { tries, ends } = window as unknown as { tries: number[]; ends: number[] };
        return tries.slice(1).map((at, index) => at - ends[index]!);
      });
    // the page has loaded, however long that took
    await expect
      .poll(async () => {
        await page.clock.runFor(100);
        return page.evaluate(() => (window as unknown as { tries: number[] }).tries.length);
      })
      .toBeGreaterThan(0);
    await runUntil(page, async () => (await list()).length >= 5, { stepMs: 500, limitMs: 60_000 });
    expect((await list()).slice(0, 5)).toEqual([1000, 2000, 5000, 10_000, 10_000]);
    await context.close();
  });
});
