/**
 * After the build: makes the public pages paint before the app is loaded.
 *
 * - The landing page works without React. It first loads one small file (its live parts, web/features/landing/live),
 *   and the app only when somebody interacts with the page, or at once if needed: a stored session, a returning
 *   sign-in, a navigation that left a notice. A button pressed before the app has loaded shows that it is busy, and
 *   is pressed again afterwards; links, menu and theme switch work from the start. The app loads in pieces, with a
 *   paint between two of them, and input in the meantime does not force React to finish in one task.
 * - Every other public page loads the app after its first paint, in pieces too. A button pressed in the meantime is
 *   pressed again when the app has loaded.
 * - The page for every other address has only its frame to show: there the app is loaded together with the style.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { codeVerifierKey, storageKey } from '#web/lib/session/stored-session.ts';

/** The attribute of pages that start without the app (landing-screen.tsx). */
const marker = 'data-landing';
/** The page for every address that is not prerendered. */
const frameName = '__spa-fallback.html';
const preloadPattern = /<link rel="modulepreload" href="([^"]+)"\/?>/g;
/** A file of the app that is larger than this runs in a task of its own, in bytes. */
const pieceBytes = 25_000;

/** @param clientFolder the built `build/client`, in which all pages are rewritten */
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

/** Removes or demotes preloads, which would delay the style and fonts that the first paint needs on a slow connection. */
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
  /** The files that the page preloads. */
  preloads: string[];
  /** The files to run one after the other instead of the script. */
  pieces: string[];
}

/** The last piece starts the app, and its dependencies come before it. The inline script becomes a file. */
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

/** The large files among these, each after those that it imports. */
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
  /** Loaded in parallel once the app is needed. */
  preloads: readonly string[];
  /** Run one after the other; the last one starts the app. */
  pieces: readonly string[];
}

interface Loader extends Arrival {
  live: string;
}

/**
 * `arrive` runs the pieces with a paint between two of them. It turns stack traces off in the meantime: react-dom
 * creates errors when it is loaded, and for their traces the engine reads the whole file again, which takes most of
 * the time.
 * `firstPainted` waits for the first paint, however long the style takes; a hidden window never paints, and a browser
 * that does not report it is assumed to have painted a moment after the load event.
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

/**
 * Keeps the last press of a button until the app has loaded (`inkproof:alive`, web/app/root.tsx), and starts loading
 * it.
 */
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
