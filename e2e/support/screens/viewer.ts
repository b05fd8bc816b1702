/** Documents for the flows of the PDF viewer, and its parts. */
import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import type { SavedDocument } from '#shared/api/library.ts';
import { main, signedInState } from '../product/addresses.ts';
import { expect, test } from '../test.ts';

/** Makes a call as the account that every flow is signed in to. */
export async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
  const state = JSON.parse(readFileSync(signedInState, 'utf8'));
  const stored = state.origins.find(({ origin }: { origin: string }) => origin === main.url).localStorage[0];
  const answer = await fetch(`${main.apiUrl}/api/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${JSON.parse(stored.value).access_token}`,
      'Content-Type': 'application/json',
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
  return (text === '' ? null : JSON.parse(text)) as T;
}

export const title = 'Übung 7: needles';

export function create(title: string, latex: string): Promise<SavedDocument> {
  return call('POST', '/documents', { title, latex });
}

export async function waitForPdf({ id }: SavedDocument): Promise<void> {
  await expect
    .poll(async () => (await call<SavedDocument>('GET', `/documents/${id}`)).pdf_version, {
      timeout: 150_000,
    })
    .not.toBeNull();
}

export const pageCount = 40;

const filling = Array.from(
  { length: pageCount - 2 },
  (_, index) => `Sheet ${index + 2} with a needle.\\newpage`,
);

const latex = `\\documentclass{article}
\\usepackage[colorlinks]{hyperref}
\\begin{document}
\\section{First steps}
An efficient office has a Needle. A café is near, and so is the end: section~\\ref{sec:end}.
\\href{https://example.com/elsewhere}{Elsewhere} there is more.
\\newpage
${filling.join('\n')}
\\section{The end}\\label{sec:end}
Nothing follows.
\\end{document}
`;

export const threePages = (second: string) =>
  `\\documentclass{article}\\begin{document}One\\newpage ${second}\\newpage Three\\end{document}`;

export const sheets = (page: Page) => page.getByRole('group', { name: 'PDF pages' });

export const pageField = (page: Page) => page.getByLabel('PDF page', { exact: true });

export const thumbnails = (page: Page) => page.getByRole('list', { name: 'Pages' });

/** For the flows of a file: a long document and its PDF, made before the first of them. */
export function prepareLongDocument() {
  let saved: SavedDocument;
  test.beforeAll(async () => {
    saved = await create(title, latex);
    await waitForPdf(saved);
  });
  const address = () => `/documents/${saved.id}/pdf`;
  return {
    id: () => saved.id,
    address,
    async open(page: Page): Promise<void> {
      await page.goto(address());
      await expect(page.locator('.textLayer').first()).toContainText('has a Needle');
    },
  };
}
