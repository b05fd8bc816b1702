/**
 * After the build: the public pages are painted before the app is loaded.
 *
 * - The landing page arrives alive without React. It first loads one small file (what moves on it,
 *   web/features/landing/live), and the app only when somebody reaches for the page, or at once where it is needed at
 *   once: a stored session, a sign-in that comes back, a navigation that left a notice. A button that is pressed before
 *   the app is there says that it is busy, and is pressed again when the app is; links, menu and the change of colours
 *   work from the start. The app comes in pieces, with a paint between two of them, and what is pressed meanwhile does
 *   not make React finish at once.
 * - Every other public page fetches the app when it has been painted, and starts it in pieces too. A button that is
 *   pressed meanwhile is pressed again when the app is there.
 * - The page that every other address begins with has nothing to show but its frame: there the app comes with the style.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { codeVerifierKey, storageKey } from '#web/lib/session/stored-session.ts';

/** Pages that begin without the app carry this attribute (landing-screen.tsx). */
const marker = 'data-landing';
/** What every address without a page of its own is answered with. */
const frameName = '__spa-fallback.html';
const preloadPattern = /<link rel="modulepreload" href="([^"]+)"\/?>/g;
/** A file of the app that is larger runs in a task of its own, bytes. */
const pieceBytes = 25_000;

/** @param clientFolder the built `build/client`, all of whose pages are rewritten */
export function deferStart(clientFolder: string): void {
  for (const name of readdirSync(clientFolder, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.html')) continue;
    const file = path.join(clientFolder, name);
    const html = readFileSync(file, 'utf8');
    if (!html.includes('rel="modulepreload"')) continue;
    const isFrame = path.basename(name) === frameName;
    writeFileSync(
      file,
      html.includes(marker) ? deferPage(html, clientFolder) : calmPage(html, clientFolder, isFrame),
    );
  }
}

/** Files that are loaded ahead would share a slow line with the style and the fonts that the first paint waits for. */
function calmPage(html: string, clientFolder: string, isFrame: boolean): string {
  const { script, preloads, pieces } = readStart(html, clientFolder);
  const start = isFrame ? 'arrive()' : 'firstPainted().then(() => { fetchAhead(); return arrive(); })';
  return html
    .replaceAll(preloadPattern, (_, href: string) =>
      isFrame ? `<link rel="modulepreload" href="${href}" fetchpriority="low"/>` : '',
    )
    .replace(
      script,
      () => `<script type="module" async="">${writeArrival({ preloads, pieces })}
${pressesKept}
const urge = () => {};
${start}.catch(stopKeeping);</script>`,
    );
}

function deferPage(html: string, clientFolder: string): string {
  const { script, preloads, pieces } = readStart(html, clientFolder);
  const live = findLive(clientFolder);
  const loader = writeLoader({ live, preloads, pieces });
  return html
    .replaceAll(preloadPattern, '')
    .replace(script, () => `<script type="module" async="">${loader}</script>`)
    .replace('</head>', () => `<link rel="modulepreload" href="${live}"/></head>`);
}

interface Start {
  /** The whole script element. */
  script: string;
  /** What the page fetches ahead. */
  preloads: string[];
  /** What is run one after the other instead of the script. */
  pieces: string[];
}

/** What starts the app is the last piece, and what it stands on comes before. The script becomes a file. */
function readStart(html: string, clientFolder: string): Start {
  const start = /<script type="module" async="">([\s\S]*?)<\/script>/.exec(html);
  const entry = /import\("([^"]*\/entry\.client-[^"]+)"\)/.exec(start?.[1] ?? '')?.[1];
  if (!start?.[1] || !entry) throw new Error('The page does not start as React Router starts one.');
  const address = `/assets/start-${createHash('sha256').update(start[1]).digest('hex').slice(0, 8)}.js`;
  writeFileSync(path.join(clientFolder, address), start[1]);
  const preloads = [...html.matchAll(preloadPattern)].map(([, href]) => href!);
  const stands = listPieces(clientFolder, preloads).filter((href) => href !== entry);
  return { script: start[0], preloads, pieces: [...stands, address, entry] };
}

function findLive(clientFolder: string): string {
  const found = readdirSync(path.join(clientFolder, 'assets')).filter((name) =>
    /^start-landing-.*\.js$/.test(name),
  );
  if (found.length !== 1) throw new Error('The build has no file of what moves on the landing page.');
  return `/assets/${found[0]}`;
}

/** The large ones of these files, each after those that it imports. */
function listPieces(clientFolder: string, files: readonly string[]): string[] {
  const ordered = new Set<string>();
  const visit = (href: string, above: readonly string[]): void => {
    if (ordered.has(href) || above.includes(href)) return;
    const source = readFileSync(path.join(clientFolder, href), 'utf8');
    for (const [, name] of source.matchAll(/(?:from|import)"\.\/([^"]+\.js)"/g))
      visit(`/assets/${name}`, [...above, href]);
    ordered.add(href);
  };
  for (const href of files) visit(href, []);
  return [...ordered].filter((href) => statSync(path.join(clientFolder, href)).size > pieceBytes);
}

interface Arrival {
  /** Fetched side by side once the app is wanted. */
  preloads: readonly string[];
  /** Run one after the other; the last one starts the app. */
  pieces: readonly string[];
}

interface Loader extends Arrival {
  live: string;
}

/**
 * `arrive` runs the pieces with a paint between two of them. It takes no stack traces meanwhile: react-dom makes errors
 * when it is loaded, and for their traces the engine reads the whole file once more, most of the time that it takes.
 * `firstPainted` waits until something was seen, as long as the style takes to come; a window that nobody sees is never
 * painted, and a browser that does not tell has painted a moment after the load.
 */
function writeArrival({ preloads, pieces }: Arrival): string {
  return `const firstPainted = () => new Promise((resolve) => {
  if (document.hidden) resolve();
  const waitOn = () => setTimeout(resolve, 1000);
  if (document.readyState === 'complete') waitOn(); else addEventListener('load', waitOn);
  try {
    new PerformanceObserver((list) => { if (list.getEntriesByName('first-contentful-paint').length) resolve(); }).observe({ type: 'paint', buffered: true });
  } catch {}
});
function fetchAhead() {
  for (const href of ${JSON.stringify(preloads)}) document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
}
const painted = () => new Promise((resolve) => { setTimeout(resolve, 200); requestAnimationFrame(() => setTimeout(resolve)); });
async function arrive() {
  await painted();
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    for (const href of ${JSON.stringify(pieces)}) { await import(href); await painted(); }
  } finally { Error.stackTraceLimit = stackTraceLimit; }
}`;
}

/** Keeps the last press of a button until the app is there (`inkproof:alive`, web/app/root.tsx), which it may urge. */
const pressesKept = `let pressed = null;
function keep(event) {
  const button = event.target.closest?.('button:not([data-pause], [data-theme-toggle], [data-opens-picker], [popovertarget])');
  if (!button) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  forget();
  pressed = button;
  button.setAttribute('aria-busy', 'true');
  urge();
}
function forget() {
  const button = pressed;
  pressed = null;
  button?.removeAttribute('aria-busy');
  return button;
}
function stopKeeping() {
  removeEventListener('click', keep, true);
  return forget();
}
addEventListener('click', keep, true);
addEventListener('inkproof:alive', () => {
  const button = stopKeeping();
  if (button) painted().then(() => button.click());
}, { once: true });`;

function writeLoader({ live, preloads, pieces }: Loader): string {
  return `import ${JSON.stringify(live)};
${writeArrival({ preloads, pieces })}
${pressesKept}
let begun = false;
const signs = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin'];
const urge = begin, urging = ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'touchstart', 'touchend', 'keydown', 'keyup'];
function begin() {
  if (begun) return;
  begun = true;
  for (const sign of signs) removeEventListener(sign, begin, true);
  for (const type of urging) addEventListener(type, hush, true);
  fetchAhead();
  arrive().catch(() => { begun = false; calm(); forget(); listen(); });
}
function listen() { for (const sign of signs) addEventListener(sign, begin, { capture: true, passive: true }); }
function calm() { for (const type of urging) removeEventListener(type, hush, true); }
function hush(event) { if (!event.target.closest?.('[data-edge]')) event.stopImmediatePropagation(); }
function needsApp() {
  try {
    return location.search !== '' || /error|code/.test(location.hash) || history.state?.usr != null ||
      localStorage.getItem(${JSON.stringify(storageKey)}) !== null || localStorage.getItem(${JSON.stringify(codeVerifierKey)}) !== null;
  } catch { return false; }
}
addEventListener('storage', begin, { once: true });
addEventListener('inkproof:alive', calm, { once: true });
if (needsApp()) begin(); else listen();`;
}
