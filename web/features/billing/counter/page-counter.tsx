import { useEffect, useRef, useState } from 'react';
import { followPageTotal } from './page-total.ts';

/** How long the number runs (specification, section 9), in ms. */
const firstRunMs = 1200;
const laterRunMs = 400;

/** How many pages have been converted, by everybody: a dash until it is known, then running up to the number. */
export function PageCounter() {
  const [total, setTotal] = useState<number | null>(null);
  useEffect(() => followPageTotal(setTotal), []);
  const shown = useRunningNumber(total);
  return (
    <p className="grid gap-1">
      {/* read out once, as it is; the running digits are for the eye */}
      <span
        className="font-serif text-4xl font-medium tracking-tight tabular-nums sm:text-5xl"
        aria-hidden="true"
      >
        {shown === null ? '–' : format(shown)}
      </span>
      <span className="text-graphite">
        <span className="sr-only">{total === null ? '' : `${format(total)} `}</span>
        {total === 1 ? 'page converted' : 'pages converted'}
      </span>
    </p>
  );
}

function format(pages: number): string {
  return pages.toLocaleString('en-GB');
}

/** The number on its way to `target`: from 0 at first, from where it stands later. Null until there is one. */
function useRunningNumber(target: number | null): number | null {
  const [shown, setShown] = useState<number | null>(null);
  const last = useRef<number | null>(null);
  useEffect(() => {
    if (target === null) return;
    const from = last.current ?? 0;
    const lengthMs = last.current === null ? firstRunMs : laterRunMs;
    const show = (value: number) => {
      last.current = value;
      setShown(value);
    };
    if (matchMedia('(prefers-reduced-motion: reduce)').matches) return show(target);
    const startedAt = performance.now();
    let frame = 0;
    const step = () => {
      const part = Math.min(1, (performance.now() - startedAt) / lengthMs);
      show(Math.round(from + (target - from) * easeOut(part)));
      if (part < 1) frame = requestAnimationFrame(step);
    };
    step();
    return () => cancelAnimationFrame(frame);
  }, [target]);
  return shown;
}

/** Fast, then settling. @param part 0 … 1 */
function easeOut(part: number): number {
  return 1 - (1 - part) ** 3;
}
