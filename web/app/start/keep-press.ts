import { nextPaint } from './paints.ts';

/** Buttons, except those that work without the app. */
const waiting = 'button:not([data-pause], [data-theme-toggle], [data-opens-picker], [popovertarget])';

/**
 * Stores the last press of a button until the app has loaded (`inkproof:alive`, web/app/root.tsx): the button
 * shows that it is busy, and is pressed again then.
 * @param onPress starts loading the app
 */
export function keepPress(onPress: () => void): { forget: () => void; stop: () => void } {
  let pressed: HTMLElement | null = null;
  const forget = () => {
    pressed?.removeAttribute('aria-busy');
    pressed = null;
  };
  const keep = (event: Event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>(waiting) : null;
    if (!button) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    forget();
    pressed = button;
    button.setAttribute('aria-busy', 'true');
    onPress();
  };
  const stop = () => {
    removeEventListener('click', keep, true);
    forget();
  };
  const repeat = () => {
    const button = pressed;
    stop();
    if (button) nextPaint().then(() => button.click());
  };
  addEventListener('click', keep, true);
  addEventListener('inkproof:alive', repeat, { once: true });
  return { forget, stop };
}
