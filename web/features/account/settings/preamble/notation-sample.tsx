import katex from 'katex';
import { useEffect, useRef } from 'react';
import 'katex/dist/katex.min.css';

/** What a sign stands for as it will look, with dots for its arguments; nothing while it is unfinished. */
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
      // of a package that KaTeX does not know, or half written
      element.textContent = '';
    }
  }, [latex]);
  return <span ref={place} />;
}
