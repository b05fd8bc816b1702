/** Writers in separate browsers, for the flows in which nothing may be lost. */
import type { BrowserContext, Page } from '@playwright/test';
import { createAccount, main, openBrowser, signIn } from '../product/accounts.ts';
import { editor, expect } from '../test.ts';

export const start = String.raw`\documentclass{article}
\begin{document}
Left part.

The middle stays as it is.

Right part.
\end{document}
`;

export interface SavedDocument {
  id: string;
  version: number;
  latex: string;
}

interface Writer {
  email: string;
  context: BrowserContext;
  call<Body>(method: string, path: string, body?: object): Promise<Body>;
  keep(latex?: string): Promise<SavedDocument>;
  read(id: string): Promise<SavedDocument>;
}

/** An account with its own browser. */
export async function startWriter(browser: Parameters<typeof openBrowser>[0]): Promise<Writer> {
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

export async function open(context: BrowserContext, id: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`/documents/${id}`);
  await expect(editor(page)).toBeVisible();
  return page;
}

/** Puts the cursor at the end of the line with this text. */
export async function goToLine(page: Page, line: string): Promise<void> {
  await editor(page).locator('.cm-line', { hasText: line }).first().click();
  await page.keyboard.press('End');
}

export function saveLine(page: Page, words: string) {
  return page.locator('[data-save]', { hasText: words });
}

/** In a page: what this browser stores that the server has not acknowledged. */
export async function readUnsent(): Promise<string[]> {
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('inkproof-unsent');
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const step = database.transaction(['texts', 'anchors']);
  const readAll = <T>(name: string) =>
    new Promise<T[]>((resolve) => {
      const request = step.objectStore(name).getAll();
      request.onsuccess = () => resolve(request.result);
    });
  const [rows, anchors] = await Promise.all([
    readAll<{ id: string; unsent: { latex: { start: number; end: number; insert: string } } }>('texts'),
    readAll<{ id: string; latex: string }>('anchors'),
  ]);
  database.close();
  return rows.map(({ id, unsent: { latex: change } }) => {
    const { latex } = anchors.find((one) => one.id === id)!;
    return latex.slice(0, change.start) + change.insert + latex.slice(change.end);
  });
}
