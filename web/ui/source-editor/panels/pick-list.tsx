import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { cn } from '#web/ui/cn.ts';

export interface Pick {
  name: string;
  /** What it is; may be empty. */
  detail: string;
}

interface PickListProps<P extends Pick> {
  /** `Find a citation`. */
  label: string;
  items: readonly P[];
  /** Shown if there are no items at all. */
  empty: ReactNode;
  onPick: (item: P) => void;
  /** Further actions, below the list. */
  children?: ReactNode;
}

/** More than anybody reads; typing finds the others. */
const maxShown = 200;

/** A searchable list: typing finds, arrow keys move, Enter picks. */
export function PickList<P extends Pick>({ label, items, empty, onPick, children }: PickListProps<P>) {
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = items
    .filter(({ name, detail }) => words.every((word) => `${name} ${detail}`.toLowerCase().includes(word)))
    .slice(0, maxShown);
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);

  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      setAt((at + step + found.length) % Math.max(found.length, 1));
    } else if (event.key === 'Enter' && found[at]) {
      event.preventDefault();
      onPick(found[at]);
    }
  };
  return (
    <div className="flex max-h-[min(24rem,60vh)] w-[min(22rem,calc(100vw-1.5rem))] flex-col">
      {items.length === 0 ? (
        <div className="p-4 text-sm text-graphite">{empty}</div>
      ) : (
        <>
          <input
            role="combobox"
            aria-expanded
            aria-controls={id}
            aria-activedescendant={found[at] ? `${id}-${at}` : undefined}
            aria-label={label}
            placeholder={label}
            value={query}
            onChange={(event) => {
              setQuery(event.target.value);
              setAt(0);
            }}
            onKeyDown={handleKey}
            className="min-h-11 shrink-0 border-b border-hairline bg-transparent px-4 text-sm outline-none pointer-coarse:text-base"
          />
          <div ref={list} id={id} role="listbox" aria-label={label} className="overflow-y-auto p-1.5">
            {found.map((item, index) => (
              <div
                key={item.name}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === at}
                onPointerMove={() => setAt(index)}
                onClick={() => onPick(item)}
                onKeyDown={handleKey}
                className={cn(
                  'min-h-9 rounded-md px-2.5 py-1.5 pointer-coarse:min-h-11',
                  index === at && 'bg-wash',
                )}
              >
                <span className="block truncate font-mono text-[0.8125rem]">{item.name}</span>
                {item.detail && <span className="block truncate text-xs text-graphite">{item.detail}</span>}
              </div>
            ))}
          </div>
          {found.length === 0 && <p className="px-4 py-3 text-sm text-graphite">Nothing found.</p>}
        </>
      )}
      {children && <div className="shrink-0 border-t border-hairline p-1.5">{children}</div>}
    </div>
  );
}
