/**
 * The product as it ships, for the demo and the README's pictures: the built site, the embedded reader (no AI key),
 * an account with a library of our own documents, and a browser signed in to it.
 */
import '../test-support/own-fonts.ts';
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { type Browser, chromium, type Page } from '@playwright/test';
import type { Documents } from '#shared/api/library.ts';
import type { SearchResults } from '#shared/api/search.ts';
import { serveProduct } from '../bench/site/serve-product.ts';
import { type Call, createAccount, createCall, saveTexts, signIn } from '../setup/demonstration.ts';

/** Debian's Chromium if installed; otherwise Playwright's own. */
const debianChromium = '/usr/bin/chromium';
const email = 'ada@example.com';
const password = 'wet ink becomes print';
/** Device pixels per CSS pixel: zoomed views stay sharp. */
const density = 1.5;
/** Texts written for the tests, by their titles in the library. */
const shelf = [
  { title: 'Limits and integrals', file: 'calculus-limits-integrals' },
  { title: 'Matrices and systems', file: 'linear-algebra-matrices' },
  { title: 'Mechanics, first week', file: 'physics-mechanics-tikz' },
  { title: 'Distributions and Bayes', file: 'probability-table' },
  { title: 'Number theory, sheet 3', file: 'problem-sheet-number-theory' },
];

export interface OpenedProduct {
  url: string;
  /** A page of this size, CSS pixels, whose pictures show nothing of the browser. */
  openPage: (size: { width: number; height: number }, colours?: 'light' | 'dark') => Promise<Page>;
  /** Resolves when the search finds the document by this formula: a moment after it was saved. */
  waitUntilFound: (formula: string, title: string) => Promise<void>;
  close: () => Promise<void>;
}

/** How long rendering a page or indexing a text may take, ms. */
const patienceMs = 120_000;

/** @throws Error if there is no build */
export async function openProduct(): Promise<OpenedProduct> {
  const product = await serveProduct();
  let browser: Browser | null = null;
  const close = async () => {
    await browser?.close();
    await product.close();
  };
  try {
    await createAccount(product, email, password);
    const session = await signIn(product.url, email, password);
    const call = createCall(product.url, session.access_token);
    await fillShelf(call);
    const opened = await chromium.launch({
      executablePath: existsSync(debianChromium) ? debianChromium : undefined,
      args: [
        '--no-sandbox',
        '--disable-dev-shm-usage',
        '--hide-scrollbars',
        `--force-device-scale-factor=${density}`,
      ],
    });
    browser = opened;
    const localStorage = [{ name: 'inkproof-auth', value: JSON.stringify(session) }];
    const storageState = { cookies: [], origins: [{ origin: product.url, localStorage }] };
    return {
      url: product.url,
      async openPage(size, colours = 'light') {
        // the window's own size: screencast pictures have no other
        const context = await opened.newContext({
          viewport: null,
          baseURL: product.url,
          storageState,
          colorScheme: colours,
          locale: 'en-GB',
        });
        const page = await context.newPage();
        await fitWindow(page, size);
        return page;
      },
      waitUntilFound: (formula, title) =>
        waitFor('results of the search', async () => {
          const query = `/search?formula=${encodeURIComponent(formula)}`;
          const { documents } = await call<SearchResults>('GET', query);
          return documents.some((one) => one.title === title);
        }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function fillShelf(call: Call): Promise<void> {
  await saveTexts(call, shelf);
  // first-page images are made a moment after a text was saved
  await waitFor('first pages on the shelf', async () => {
    const { documents } = await call<Documents>('GET', '/documents?limit=100');
    return documents.every((one) => one.thumbnail_version !== null);
  });
}

async function waitFor(what: string, isThere: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while (!(await isThere())) {
    if (Date.now() > deadline) throw new Error(`There are no ${what}.`);
    await wait(250);
  }
}

async function fitWindow(page: Page, size: { width: number; height: number }): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { windowId } = await session.send('Browser.getWindowForTarget');
  const measure = () => page.evaluate(() => ({ width: innerWidth, height: innerHeight }));
  for (let round = 0; round < 4; round++) {
    const { bounds } = await session.send('Browser.getWindowBounds', { windowId });
    const inner = await measure();
    const [wide, tall] = [size.width - inner.width, size.height - inner.height];
    if (wide === 0 && tall === 0) break;
    await session.send('Browser.setWindowBounds', {
      windowId,
      bounds: { width: (bounds.width ?? 0) + wide, height: (bounds.height ?? 0) + tall },
    });
    await page.waitForTimeout(300);
  }
  await session.detach();
}
