/**
 * The first script of every page. It makes public pages paint before the app is loaded.
 *
 * - The landing page works without React: its moving parts (web/features/landing/live) come first, and the app only
 *   when somebody touches the page. Links, menu and theme switch work from the start.
 * - Every other public page loads the app after its first paint.
 * - The page for every other address has only its frame to show: there the app is loaded at once.
 *
 * What this file imports is loaded on every page, before the first touch: nothing that leads to React.
 */
import { keepPress } from './start/keep-press.ts';
import { loadApp } from './start/load-app.ts';
import { loadOnTouch } from './start/load-on-touch.ts';
import { firstPaint } from './start/paints.ts';

if (document.querySelector('[data-landing]')) {
  import('#web/features/landing/live/start-landing.ts').catch(() => undefined);
  loadOnTouch();
} else {
  const press = keepPress(() => undefined);
  (window.inkproofStart.isFrame ? loadApp() : firstPaint().then(loadApp)).catch(press.stop);
}
