import katex from 'katex';
import { useEffect, useRef } from 'react';
import 'katex/dist/katex.min.css';

/**
 * A formula rendered inline; one that KaTeX rejects is shown as its source. Loaded, with KaTeX, when there is one.
 */
export function Formula({ tex }: { tex: string }) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const element = place.current;
    if (!element) return;
    const inner = stripDelimiters(tex);
    // environments such as align need it
    const displayMode = inner.startsWith('\\begin');
    try {
      katex.render(inner, element, {
        displayMode,
        throwOnError: true,
        trust: false,
        strict: false,
        maxExpand: 200,
      });
      element.className = displayMode
        ? 'inline-block max-w-full overflow-x-auto align-middle [&_.katex-display]:my-0'
        : '';
    } catch {
      element.textContent = tex;
      element.className = 'font-mono text-[0.85em] break-all';
    }
  }, [tex]);
  return <span ref={place} />;
}

/** The formula without its dollars or brackets; environments stay. */
function stripDelimiters(tex: string): string {
  const trimmed = tex.trim();
  const found = /^(\$\$|\$|\\\(|\\\[)([\s\S]*?)(\$\$|\$|\\\)|\\\])$/.exec(trimmed);
  return found?.[2] ?? trimmed;
}
