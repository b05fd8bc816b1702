/** What the flows of the landing page watch and hold back. */
import type { Page } from '@playwright/test';

/** From the next page's first moment on: keeps what the headline shows, one text after the other. */
export async function watchHeadline(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { headline: seen });
    const look = () => {
      // a page that is still arriving has half of its words
      if (document.readyState === 'loading') return;
      const words = ['note', 'pdf'].map((part) => document.querySelector(`[data-word="${part}"]`));
      const text = words.map((word) => word?.textContent).join('|');
      if (text !== seen.at(-1)) seen.push(text);
    };
    addEventListener('DOMContentLoaded', look);
    new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true });
  });
}

/** What it has shown so far. */
export function headline(page: Page): Promise<string[]> {
  return page.evaluate(() => (window as unknown as { headline: string[] }).headline);
}

/** Holds the app back. @returns a function that lets it come */
export async function holdApp(page: Page): Promise<() => void> {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(/\/assets\/entry\.client-/, async (route) => {
    await held;
    await route.continue();
  });
  return release;
}

/** Keeps the names of what is counted, also when the press leaves the page. */
export async function keepEvents(page: Page): Promise<void> {
  await page.addInitScript(() => {
    addEventListener('inkproof:analytics', (event) => {
      const { name } = (event as CustomEvent<{ name: string }>).detail;
      sessionStorage.setItem('told', `${sessionStorage.getItem('told') ?? ''}${name};`);
    });
  });
}
