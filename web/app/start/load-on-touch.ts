import { keepPress } from './keep-press.ts';
import { loadApp } from './load-app.ts';

/** Signs that somebody is about to use the page. */
const signs = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin'];
/** Kept from React while it starts, which would otherwise finish hydrating in one task. */
const urging = 'pointerdown pointerup mousedown mouseup touchstart touchend keydown keyup'.split(' ');

/** Loads the app when somebody touches the page, and at once if the page needs it; after a failure, once more. */
export function loadOnTouch(): void {
  let hasBegun = false;
  const press = keepPress(begin);

  function begin(): void {
    if (hasBegun) return;
    hasBegun = true;
    for (const sign of signs) removeEventListener(sign, begin, true);
    for (const type of urging) addEventListener(type, hush, true);
    loadApp().catch(() => {
      hasBegun = false;
      calm();
      press.forget();
      listen();
    });
  }
  function listen(): void {
    for (const sign of signs) addEventListener(sign, begin, { capture: true, passive: true });
  }
  function calm(): void {
    for (const type of urging) removeEventListener(type, hush, true);
  }

  addEventListener('storage', begin, { once: true });
  addEventListener('inkproof:alive', calm, { once: true });
  if (needsApp()) begin();
  else listen();
}

/** The divider between ink and print moves without the app. */
function hush(event: Event): void {
  if (!(event.target instanceof Element && event.target.closest('[data-edge]')))
    event.stopImmediatePropagation();
}

/** A stored session, a sign-in that returns with an address, or a navigation that left a notice. */
function needsApp(): boolean {
  // set in the head (web/lib/session/stored-session.ts)
  const { session, signingIn } = document.documentElement.dataset;
  return (
    session === 'in' ||
    signingIn !== undefined ||
    location.search !== '' ||
    /error|code/.test(location.hash) ||
    history.state?.usr != null
  );
}
