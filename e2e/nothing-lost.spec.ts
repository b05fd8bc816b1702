// Nothing that was written is lost: not with two tabs, a dead network, a crashed tab, or another hand at the same line.
import type { BrowserContext, Page } from '@playwright/test';
import { createAccount, openBrowser, password, signIn } from './support/accounts.ts';
import { main } from './support/addresses.ts';
import { fillDialog, logOut } from './support/dialog.ts';
import { editor, expect, expectGoodLooks, listAxeViolations, test } from './support/test.ts';

// two writers that are refused once in a while, and lines that are dead on purpose
test.use({ allowRefusals: true });

const start = String.raw`\documentclass{article}
\begin{document}
Left part.

The middle stays as it is.

Right part.
\end{document}
`;

interface Kept {
  id: string;
  version: number;
  latex: string;
}

interface Writer {
  email: string;
  context: BrowserContext;
  call<Body>(method: string, path: string, body?: object): Promise<Body>;
  keep(latex?: string): Promise<Kept>;
  read(id: string): Promise<Kept>;
}

/** An account with a browser of its own. */
async function startWriter(browser: Parameters<typeof openBrowser>[0]): Promise<Writer> {
  const email = await createAccount();
  let session = await signIn(main, email);
  const send = (method: string, path: string, body?: object) =>
    fetch(`${main.apiUrl}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${session.access_token}`, 'Content-Type': 'application/json' },
      body: body && JSON.stringify(body),
    });
  const call = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    let answer = await send(method, path, body);
    // a log-out in the browser ends this session too
    if (answer.status === 401) {
      session = await signIn(main, email);
      answer = await send(method, path, body);
    }
    expect(answer.ok, `${method} ${path}`).toBe(true);
    return (await answer.json()) as Body;
  };
  return {
    email,
    context: await openBrowser(browser, email),
    call,
    keep: (latex = start) => call('POST', '/documents', { latex, title: 'Lecture notes' }),
    read: (id) => call('GET', `/documents/${id}`),
  };
}

async function open(context: BrowserContext, id: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`/documents/${id}`);
  await expect(editor(page)).toBeVisible();
  return page;
}

/** Puts the cursor at the end of the line that reads so. */
async function goToLine(page: Page, line: string): Promise<void> {
  await editor(page).locator('.cm-line', { hasText: line }).first().click();
  await page.keyboard.press('End');
}

function saveLine(page: Page, words: string) {
  return page.locator('[data-save]', { hasText: words });
}

/** The renderer's process dies; nothing of the page gets to run. */
async function crash(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  // it never answers
  session.send('Page.crash').catch(() => {});
  await crashed;
  await page.close();
}

test('two tabs that write in turn, 200 edits each, lose none', async ({ browser }) => {
  test.setTimeout(400_000);
  const writer = await startWriter(browser);
  const { id } = await writer.keep();
  // nothing is compiled here: that would be four hundred pages
  await writer.context.routeWebSocket(/./, (socket) => socket.close());
  const tabs = [await open(writer.context, id), await open(writer.context, id)] as const;
  const names = ['left', 'right'] as const;
  await goToLine(tabs[0], 'Left part.');
  await goToLine(tabs[1], 'Right part.');
  for (let edit = 0; edit < 200; edit++)
    for (const side of [0, 1] as const) {
      await tabs[side].keyboard.insertText(`\n${names[side]} ${edit}`);
    }
  const expected = start
    .replace('Left part.', ['Left part.', ...list('left')].join('\n'))
    .replace('Right part.', ['Right part.', ...list('right')].join('\n'));
  await expect.poll(async () => (await writer.read(id)).latex, { timeout: 60_000 }).toBe(expected);
  for (const tab of tabs) {
    await expect(saveLine(tab, 'Saved')).toBeVisible();
    expect(await tab.evaluate(readUnsent)).toEqual([]);
  }
  // a tab shows what the other wrote, without a reload
  await tabs[0].keyboard.press('Control+End');
  await expect(editor(tabs[0])).toContainText('right 199');
  await tabs[1].keyboard.press('Control+Home');
  await expect(editor(tabs[1])).toContainText('left 0');
  await writer.context.close();
});

function list(name: string): string[] {
  return Array.from({ length: 200 }, (_, edit) => `${name} ${edit}`);
}

/** In a page: what this browser keeps that the server has not acknowledged. */
async function readUnsent(): Promise<string[]> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('inkproof-unsent');
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const rows = await new Promise<{ unsent: { latex: string } }[]>((resolve) => {
    const request = database.transaction('texts').objectStore('texts').getAll();
    request.onsuccess = () => resolve(request.result);
  });
  database.close();
  return rows.map((row) => row.unsent.latex);
}

test('what is written without a connection outlives the tab, and is saved when the document is opened again', async ({
  browser,
}) => {
  const writer = await startWriter(browser);
  const { id } = await writer.keep();
  const page = await open(writer.context, id);
  await writer.context.setOffline(true);
  await goToLine(page, 'Left part.');
  await page.keyboard.type(' Written on a train.');
  await expect(saveLine(page, 'Offline: kept on this device')).toBeVisible();
  // the last words are not even tried to be sent
  await page.keyboard.type(' In a tunnel.');
  await expect.poll(async () => (await page.evaluate(readUnsent)).join()).toContain('In a tunnel.');
  await crash(page);
  await writer.context.setOffline(false);
  expect((await writer.read(id)).latex).toBe(start);

  const again = await open(writer.context, id);
  await expect(editor(again)).toContainText('Left part. Written on a train. In a tunnel.');
  await expect(saveLine(again, 'Saved')).toBeVisible();
  expect((await writer.read(id)).latex).toBe(
    start.replace('Left part.', 'Left part. Written on a train. In a tunnel.'),
  );
  expect(await again.evaluate(readUnsent)).toEqual([]);
  await writer.context.close();
});

test('a connection that comes back is enough: nobody has to do anything', async ({ browser }) => {
  const writer = await startWriter(browser);
  const { id } = await writer.keep();
  const page = await open(writer.context, id);
  await writer.context.setOffline(true);
  await goToLine(page, 'Right part.');
  await page.keyboard.type(' More.');
  await expect(saveLine(page, 'Offline: kept on this device')).toBeVisible();
  // a part of the screen that was never fetched is waited for, and costs nothing that is there
  await page.getByRole('button', { name: 'History', exact: true }).click();
  await expect(editor(page)).toContainText('Right part. More.');
  await writer.context.setOffline(false);
  await expect(saveLine(page, 'Saved')).toBeVisible();
  await expect(page.getByRole('complementary', { name: 'History' })).toContainText('Now');
  expect((await writer.read(id)).latex).toContain('Right part. More.');
  await writer.context.close();
});

test('a tab that is closed right after the last key leaves nothing behind', async ({ browser }) => {
  const writer = await startWriter(browser);
  const { id } = await writer.keep();
  const page = await open(writer.context, id);
  await goToLine(page, 'Left part.');
  await page.keyboard.type(' Last words.');
  await page.close({ runBeforeUnload: true });
  const again = await open(writer.context, id);
  await expect(editor(again)).toContainText('Last words.');
  await expect(saveLine(again, 'Saved')).toBeVisible();
  await expect.poll(async () => (await writer.read(id)).latex).toContain('Left part. Last words.');
  await writer.context.close();
});

test.describe('another hand at the same line', () => {
  test('both are shown, and the words of both survive', async ({ browser }) => {
    const writer = await startWriter(browser);
    const { id } = await writer.keep();
    const page = await open(writer.context, id);
    await writer.context.setOffline(true);
    await goToLine(page, 'The middle');
    await page.keyboard.type(' Mine.');
    await expect(saveLine(page, 'Offline: kept on this device')).toBeVisible();
    const theirs = start.replace('The middle stays as it is.', 'The middle was changed. Theirs.');
    await writer.call('PUT', `/documents/${id}/latex`, { base_version: 1, latex: theirs });
    await page.setViewportSize({ width: 390, height: 800 });
    await writer.context.setOffline(false);

    const screen = page.getByRole('dialog', { name: 'Changed in two places at once' });
    await expect(screen.getByRole('heading', { name: 'Place 1 of 1' })).toBeInViewport();
    await expect(screen.getByRole('button', { name: 'Save the result' })).toBeDisabled();
    expect((await writer.read(id)).latex).toBe(theirs);
    await expectGoodLooks(page);

    // put off: nothing is lost, and it is asked again
    await screen.getByRole('button', { name: 'Decide later' }).click();
    await expect(saveLine(page, 'Changed in two places')).toBeVisible();
    await page.reload();
    const found = page.getByRole('dialog', { name: 'Changes from this device were not saved yet' });
    await expect(found).toBeVisible();
    expect((await writer.read(id)).latex).toBe(theirs);

    await found.getByRole('radio', { name: 'Keep both' }).click();
    await expect(found.getByText('1 of 1 chosen')).toBeVisible();
    await found.getByRole('textbox', { name: 'Result' }).click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('% both\n');
    await found.getByRole('button', { name: 'Save the result' }).click();
    await expect(found).toBeHidden();
    await expect(saveLine(page, 'Saved')).toBeVisible();
    const { latex } = await writer.read(id);
    expect(latex).toBe(
      `% both\n${start.replace(
        'The middle stays as it is.',
        'The middle stays as it is. Mine.\nThe middle was changed. Theirs.',
      )}`,
    );
    await expect(editor(page)).toContainText('% both');
    expect(await page.evaluate(readUnsent)).toEqual([]);
    await writer.context.close();
  });
});

test('the history: a version is named, compared with now, and restored; what was unsaved is in it too', async ({
  browser,
}) => {
  const writer = await startWriter(browser);
  const { id } = await writer.keep();
  const second = start.replace('Left part.', 'Left part, second version.');
  await writer.call('PUT', `/documents/${id}/latex`, { base_version: 1, latex: second });
  const page = await open(writer.context, id);
  await page.getByRole('button', { name: 'History', exact: true }).click();
  const history = page.getByRole('complementary', { name: 'History' });
  await history.getByRole('button', { name: /^Name the version of .*created/ }).click();
  await history.getByLabel(/^Name of the version/).fill('As it was read');
  await history.getByRole('button', { name: 'Save name' }).click();

  await history.getByRole('button', { name: /As it was read: compare with now/ }).click();
  const comparison = page.getByRole('dialog', { name: 'What changed' });
  await expect(comparison.getByRole('textbox', { name: 'The earlier text' })).toContainText('Left part.');
  await expect(comparison.getByRole('textbox', { name: 'The later text' })).toContainText('second version');
  await comparison.getByRole('button', { name: 'Unified' }).click();
  await expect(comparison.locator('.cm-deletedChunk')).toHaveText('Left part.');
  await comparison.getByRole('button', { name: 'Close' }).first().click();

  // written, and restored before the pause after which it would be saved
  await goToLine(page, 'Right part.');
  await page.keyboard.type(' Not saved yet.');
  await history.getByRole('button', { name: /^Restore the version of .*As it was read/ }).click();
  await expect(history.getByText(/is back/)).toBeVisible();
  await expect(editor(page)).not.toContainText('second version');
  expect(await writer.read(id)).toMatchObject({ latex: start, version: 4 });
  const { versions } = await writer.call<{ versions: { cause: string; version: number }[] }>(
    'GET',
    `/documents/${id}/versions`,
  );
  expect(versions.map(({ cause }) => cause)).toEqual(['restore', 'edit', 'edit', 'create']);
  expect((await writer.call<Kept>('GET', `/documents/${id}/versions/3`)).latex).toContain('Not saved yet.');
  // one step, which Undo takes back
  await editor(page).click();
  await page.keyboard.press('Control+z');
  await expect(editor(page)).toContainText('second version');
  await expect(editor(page)).toContainText('Not saved yet.');
  await writer.context.close();
});

test('what one account left unsent is shown to no other, and waits for it; who logs out is told', async ({
  browser,
}) => {
  const writer = await startWriter(browser);
  const { id } = await writer.keep();
  const page = await open(writer.context, id);
  // the line to the one address is dead, so that signing out works
  await writer.context.route('**/api/v1/documents/*/latex', (route) => route.abort());
  await goToLine(page, 'Left part.');
  await page.keyboard.type(' A secret of Ada.');
  await expect(saveLine(page, 'Offline: kept on this device')).toBeVisible();
  await logOut(page);
  const warning = page.getByRole('dialog', { name: 'Not everything is saved' });
  await expect(warning.getByText('Lecture notes')).toBeVisible();
  expect(await listAxeViolations(page)).toEqual([]);
  await warning.getByRole('button', { name: 'Log out and keep the changes here' }).click();
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();
  await writer.context.unroute('**/api/v1/documents/*/latex');

  const other = await createAccount();
  await logIn(page, other);
  await page.goto(`/documents/${id}`);
  await expect(page.getByRole('heading', { name: 'There is no such document' })).toBeVisible();
  await expect(page.getByText('A secret of Ada')).toHaveCount(0);
  expect((await writer.read(id)).latex).toBe(start);
  await logOut(page);
  await expect(warning).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Login' })).toBeVisible();

  await logIn(page, writer.email);
  await page.goto(`/documents/${id}`);
  await expect(editor(page)).toContainText('Left part. A secret of Ada.');
  await expect(saveLine(page, 'Saved')).toBeVisible();
  expect((await writer.read(id)).latex).toContain('A secret of Ada.');
  await writer.context.close();
});

async function logIn(page: Page, email: string): Promise<void> {
  await page.goto('/');
  await page.getByRole('button', { name: 'Login' }).click();
  await fillDialog(page, 'Log In', email, password);
  await expect(page.getByRole('button', { name: 'Your account' })).toBeVisible();
}
