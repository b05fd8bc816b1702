/** The found places, one below the other, as the arrow keys go through them. */

/** @returns whether there was one to go to; above the first there is none */
export function focusResult(where: 'first' | 'next' | 'previous'): boolean {
  const results = [...document.querySelectorAll<HTMLElement>('[data-result]')];
  const at = results.findIndex((result) => result.matches(':focus'));
  const to = where === 'first' ? 0 : at + (where === 'next' ? 1 : -1);
  results[to]?.focus();
  return results[to] !== undefined;
}
