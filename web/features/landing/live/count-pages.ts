/**
 * The counter of converted pages: a dash until it is known, then counting up to it (specification, sections 4 and 9).
 */
import { followPageTotal } from '#web/lib/page/page-total.ts';

/** Durations of the counting animation, in ms. */
const firstRunMs = 1200;
const laterRunMs = 400;

interface Counter {
  /** The animated digits, hidden from screen readers. */
  digits: HTMLElement;
  /** The final number, for screen readers. */
  spoken: HTMLElement;
  /** The unit. */
  label: HTMLElement;
}

/** @returns a function that stops it */
export function countPages({ digits, spoken, label }: Counter): () => void {
  let shown: number | null = null;
  let frame = 0;
  const show = (value: number) => {
    shown = value;
    digits.textContent = format(value);
  };
  const runTo = (target: number) => {
    cancelAnimationFrame(frame);
    spoken.textContent = `${format(target)} `;
    label.textContent = target === 1 ? 'page converted' : 'pages converted';
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return show(target);
    const from = shown ?? 0;
    const lengthMs = shown === null ? firstRunMs : laterRunMs;
    const startedAt = performance.now();
    const step = () => {
      const part = Math.min(1, (performance.now() - startedAt) / lengthMs);
      show(Math.round(from + (target - from) * easeOut(part)));
      if (part < 1) frame = requestAnimationFrame(step);
    };
    step();
  };
  const stop = followPageTotal(runTo);
  return () => {
    stop();
    cancelAnimationFrame(frame);
  };
}

function format(pages: number): string {
  return pages.toLocaleString('en-GB');
}

/** Starts fast, then slows down. @param part 0 … 1 */
function easeOut(part: number): number {
  return 1 - (1 - part) ** 3;
}
