/**
 * The landing page's live parts: headline, counter, slider, prices in pounds, and analytics of clicks. Plain DOM, so that the page
 * works without React: it is loaded before the app (web/app/entry.client.ts), and the screen's effect finds it
 * running, or starts it if the page was reached from another one. React never re-renders the elements it writes to.
 */
import { track } from '#web/lib/page/analytics.ts';
import { countPages } from './count-pages.ts';
import { showPounds } from './show-pounds.ts';
import { typeWords } from './type-words.ts';

const running = new WeakMap<Element, () => void>();

/** @returns a function that stops it; a second call for the same element has no effect */
export function startLanding(root: Element): () => void {
  const found = running.get(root);
  if (found) return found;
  const stops = [startWords(root), startCounter(root), startSlider(root), startPresses(root)];
  const stop = () => {
    running.delete(root);
    for (const one of stops) one?.();
  };
  running.set(root, stop);
  showPounds(root.querySelectorAll<HTMLElement>('[data-pounds]'));
  return stop;
}

function startWords(root: Element) {
  const [note, pdf] = [find(root, '[data-word="note"]'), find(root, '[data-word="pdf"]')];
  const pairs = find(root, '[data-pairs]')?.dataset.pairs;
  if (!note || !pdf || !pairs) return null;
  return typeWords({ note, pdf, pairs: JSON.parse(pairs), pauseButton: find(root, '[data-pause]') });
}

function startCounter(root: Element) {
  const [digits, spoken, label] = ['digits', 'spoken', 'label'].map((part) =>
    find(root, `[data-count="${part}"]`),
  );
  return digits && spoken && label ? countPages({ digits, spoken, label }) : null;
}

/** The divider between ink and print follows the slider, and the slider the pointer anywhere on the sheet. */
function startSlider(root: Element) {
  const slider = root.querySelector<HTMLInputElement>('[data-edge]');
  const sheet = slider?.parentElement;
  if (!slider || !sheet) return null;
  const follow = () => {
    sheet.style.setProperty('--edge-at', `${slider.value}%`);
    slider.setAttribute('aria-valuetext', `${slider.value} % ink, ${100 - Number(slider.value)} % print`);
  };
  // not in every browser does a slider jump to where it is touched
  const handlePointer = (event: PointerEvent) => {
    if ((event.buttons & 1) === 0) return;
    const { left, width } = sheet.getBoundingClientRect();
    slider.value = String(Math.round(((event.clientX - left) / width) * 100));
    follow();
  };
  slider.addEventListener('input', follow);
  slider.addEventListener('pointerdown', handlePointer);
  slider.addEventListener('pointermove', handlePointer);
  follow();
  return () => {
    slider.removeEventListener('input', follow);
    slider.removeEventListener('pointerdown', handlePointer);
    slider.removeEventListener('pointermove', handlePointer);
  };
}

/** Reports clicks on a call to action, under the name for its label. */
function startPresses(root: Element) {
  const handlePress = (event: Event) => {
    if (!(event.target instanceof Element) || !event.target.closest('[data-call-to-action]')) return;
    const isSignedIn = document.documentElement.dataset.session === 'in';
    track(isSignedIn ? 'cta_start_converting' : 'cta_try_it_for_free');
  };
  root.addEventListener('click', handlePress);
  return () => root.removeEventListener('click', handlePress);
}

function find(root: Element, selector: string): HTMLElement | null {
  return root.querySelector<HTMLElement>(selector);
}

const present = document.querySelector('[data-landing]');
if (present) startLanding(present);
