/** Arrow-key navigation through the found places, from top to bottom. */

/** @returns whether there was a result to move to; there is none above the first */
export function focusResult(where: 'first' | 'next' | 'previous'): boolean {
  const results = [...document.querySelectorAll<HTMLElement>('[data-result]')];
  const at = results.findIndex((result) => result.matches(':focus'));
  const to = where === 'first' ? 0 : at + (where === 'next' ? 1 : -1);
  results[to]?.focus();
  return results[to] !== undefined;
}
