/**
 * Waits for the first paint, however long the style takes. A hidden window never paints, and a browser that does not
 * report its paints is assumed to have painted a second after the load event.
 */
export function firstPaint(): Promise<void> {
  return new Promise((resolve) => {
    if (document.hidden) resolve();
    const waitOn = () => setTimeout(resolve, 1000);
    if (document.readyState === 'complete') waitOn();
    else addEventListener('load', waitOn);
    try {
      new PerformanceObserver((list) => {
        if (list.getEntriesByName('first-contentful-paint').length > 0) resolve();
      }).observe({ type: 'paint', buffered: true });
    } catch {
      // then the load event counts
    }
  });
}

/** Waits for the next paint, at most a fifth of a second: a hidden window has none. */
export function nextPaint(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 200);
    requestAnimationFrame(() => setTimeout(resolve));
  });
}
