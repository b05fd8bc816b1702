/** What the flows of the landing page observe and hold back. */
import type { Page } from '@playwright/test';

/** From the next page's first moment on: records each text that the headline shows. */
export async function watchHeadline(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { headline: seen });
    const look = () => {
      // a page that is still loading contains only part of its words
      if (document.readyState === 'loading') return;
      const words = ['note', 'pdf'].map((part) => document.querySelector(`[data-word="${part}"]`));
      const text = words.map((word) => word?.textContent).join('|');
      if (text !== seen.at(-1)) seen.push(text);
    };
    addEventListener('DOMContentLoaded', look);
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
  });
}

/** The texts shown so far. */
export function headline(page: Page): Promise<string[]> {
  return page.evaluate(() => (window as unknown as { headline: string[] }).headline);
}

/** Holds the app back. @returns a function that releases it */
export async function holdApp(page: Page): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/hydrate-/, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

/** Records the names of analytics events, also when the press leaves the page. */
export async function keepEvents(page: Page): Promise<void> {
  await page.addInitScript(() => {
    addEventListener('inkproof:analytics', (event) => {
      const { name } = (event as CustomEvent<{ name: string }>).detail;
      sessionStorage.setItem('told', `${sessionStorage.getItem('told') ?? ''}${name};`);
    });
  });
}
