import katex from 'katex';
import { useEffect, useRef } from 'react';
import 'katex/dist/katex.min.css';

/** A formula typeset by KaTeX; one that KaTeX rejects is shown as its source. Load on demand: it imports KaTeX. */
export function Formula({ tex, isDisplay }: { tex: string; isDisplay: boolean }) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    try {
      katex.render(tex, element, {
        displayMode: isDisplay,
        throwOnError: true,
        trust: false,
        // commands that are not trusted are shown by name, not in red
        errorColor: 'currentColor',
        strict: false,
        maxExpand: 200,
      });
    } catch {
      element.textContent = tex;
      element.className = 'font-mono text-[0.85em] whitespace-pre-wrap';
    }
  }, [tex, isDisplay]);
  return (
    <span ref={place} className={isDisplay ? 'block overflow-x-auto overflow-y-hidden py-1' : undefined} />
  );
}
