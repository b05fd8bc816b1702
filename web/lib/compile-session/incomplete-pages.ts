import type { LiveState } from './live-state.ts';

type Incomplete = NonNullable<LiveState['incomplete']>;

/**
 * Incomplete pages replace good ones only after this long without typing: a page that jumps at every unfinished
 * command would be worse than one that waits.
 */
const restMs = 1_000;

/** Shows the pages of a text with errors once its author pauses. @param show called at most once for each edit */
export function createIncompletePages(show: (incomplete: Incomplete) => void) {
  let editedAt = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    /** The text has changed: pages that are waiting belong to an older one. */
    edited() {
      editedAt = Date.now();
      clearTimeout(timer);
    },
    /** @param replacesGood whether good pages are on the screen; otherwise there is nothing to wait for */
    offer(incomplete: Incomplete, replacesGood: boolean) {
      clearTimeout(timer);
      const waitMs = replacesGood ? editedAt + restMs - Date.now() : 0;
      if (waitMs <= 0) show(incomplete);
      else timer = setTimeout(() => show(incomplete), waitMs);
    },
    drop: () => clearTimeout(timer),
  };
}
