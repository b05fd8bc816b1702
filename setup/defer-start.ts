/**
 * After the build: the landing page arrives alive without React. Its prerendered page first loads one small file (what
 * moves on it, web/features/landing/live), and the app only when somebody reaches for the page, or at once where it is
 * needed at once: a stored session, a sign-in that comes back, a navigation that left a notice. A button that is pressed
 * before the app is there is pressed again when it is; links and the change of colours work from the start.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { codeVerifierKey, storageKey } from '#web/lib/session/stored-session.ts';

/** Pages that begin without the app carry this attribute (landing-screen.tsx). */
const marker = 'data-landing';

/** @param clientFolder the built `build/client` @param pages its prerendered files, e.g. `index.html` */
export function deferStart(clientFolder: string, pages: readonly string[]): void {
  for (const page of pages) {
    const file = path.join(clientFolder, page);
    if (!existsSync(file)) continue;
    const html = readFileSync(file, 'utf8');
    if (html.includes(marker)) writeFileSync(file, deferPage(html, clientFolder));
  }
}

function deferPage(html: string, clientFolder: string): string {
  const start = /<script type="module" async="">([\s\S]*?)<\/script>/.exec(html);
  if (!start?.[1]?.includes('entry.client'))
    throw new Error('The page does not start as React Router starts one.');
  const address = `/assets/start-${createHash('sha256').update(start[1]).digest('hex').slice(0, 8)}.js`;
  writeFileSync(path.join(clientFolder, address), start[1]);
  const preloads: string[] = [];
  const lean = html.replaceAll(/<link rel="modulepreload" href="([^"]+)"\/?>/g, (_, href: string) => {
    preloads.push(href);
    return '';
  });
  const live = findLive(clientFolder);
  const loader = writeLoader({ address, live, preloads });
  return lean
    .replace(start[0], () => `<script type="module" async="">${loader}</script>`)
    .replace('</head>', () => `<link rel="modulepreload" href="${live}"/></head>`);
}

function findLive(clientFolder: string): string {
  const found = readdirSync(path.join(clientFolder, 'assets')).filter((name) =>
    /^start-landing-.*\.js$/.test(name),
  );
  if (found.length !== 1) throw new Error('The build has no file of what moves on the landing page.');
  return `/assets/${found[0]}`;
}

interface Loader {
  /** What the page would have run at once. */
  address: string;
  live: string;
  /** What that needs, fetched beside it. */
  preloads: readonly string[];
}

function writeLoader({ address, live, preloads }: Loader): string {
  return `import ${JSON.stringify(live)};
let begun = false, pressed = null;
const signs = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin'];
function begin() {
  if (begun) return;
  begun = true;
  for (const sign of signs) removeEventListener(sign, begin, true);
  for (const href of ${JSON.stringify(preloads)}) document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
  import(${JSON.stringify(address)}).catch(() => { begun = false; listen(); });
}
function listen() { for (const sign of signs) addEventListener(sign, begin, { capture: true, passive: true }); }
function hold(event) {
  const button = event.target.closest('button:not([data-pause], [data-theme-toggle])');
  if (!button) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  pressed = button;
  begin();
}
function needsApp() {
  try {
    return location.search !== '' || /error|code/.test(location.hash) || history.state?.usr != null ||
      localStorage.getItem(${JSON.stringify(storageKey)}) !== null || localStorage.getItem(${JSON.stringify(codeVerifierKey)}) !== null;
  } catch { return false; }
}
addEventListener('click', hold, true);
addEventListener('storage', begin, { once: true });
addEventListener('inkproof:alive', () => {
  removeEventListener('click', hold, true);
  pressed?.click();
}, { once: true });
if (needsApp()) begin(); else listen();`;
}
