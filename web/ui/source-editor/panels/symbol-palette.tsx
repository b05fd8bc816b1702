import katex from 'katex';
import { useEffect, useRef, useState } from 'react';
import 'katex/dist/katex.min.css';
import { findSymbols } from '../data/symbols.ts';

/** Symbols as they look, by kind, searchable by name and meaning. Loaded, with KaTeX, when opened. */
export function SymbolPalette({ onPick }: { onPick: (tex: string) => void }) {
  const [query, setQuery] = useState('');
  const groups = findSymbols(query);
  return (
    <div className="flex max-h-[min(26rem,60vh)] w-[min(24rem,calc(100vw-1.5rem))] flex-col">
      <input
        type="search"
        aria-label="Find a symbol"
        placeholder="Find a symbol: union, arrow, real numbers"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={(event) => {
          const first = groups[0]?.symbols[0];
          if (event.key !== 'Enter' || !first) return;
          event.preventDefault();
          onPick(first.tex);
        }}
        className="min-h-11 shrink-0 border-b border-hairline bg-transparent px-3 text-sm outline-none"
      />
      <div className="overflow-y-auto p-2">
        {groups.map(({ title, symbols }) => (
          <section key={title} aria-label={title}>
            <h3 className="px-1 pt-2 pb-1 text-xs text-graphite">{title}</h3>
            <div className="grid grid-cols-[repeat(auto-fill,minmax(2.5rem,1fr))] gap-0.5">
              {symbols.map(({ tex }) => (
                <button
                  key={tex}
                  type="button"
                  aria-label={tex}
                  title={tex}
                  onClick={() => onPick(tex)}
                  className="grid h-10 place-items-center overflow-hidden rounded-md hover:bg-wash"
                >
                  <Glyph tex={tex} />
                </button>
              ))}
            </div>
          </section>
        ))}
        {groups.length === 0 && <p className="p-2 text-sm text-graphite">No matching symbol.</p>}
      </div>
    </div>
  );
}

function Glyph({ tex }: { tex: string }) {
  const place = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (place.current) katex.render(tex, place.current, { throwOnError: false, strict: false, trust: false });
  }, [tex]);
  return <span ref={place} aria-hidden="true" className="text-[0.8125rem]" />;
}
