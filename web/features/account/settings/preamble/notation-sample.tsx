import katex from 'katex';
import { useEffect, useRef } from 'react';
import 'katex/dist/katex.min.css';

/** A rendering of the symbol's LaTeX, with dots for its arguments; empty while it is unfinished. */
export function NotationSample({ latex }: { latex: string }) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    try {
      katex.render(latex.replace(/#[1-9]/g, '\\cdot '), element, {
        throwOnError: true,
        trust: false,
        strict: false,
        maxExpand: 100,
      });
    } catch {
      // from a package that KaTeX does not know, or unfinished
      element.textContent = '';
    }
  }, [latex]);
  return <span ref={place} />;
}
