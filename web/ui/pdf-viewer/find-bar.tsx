import { ChevronDown, ChevronUp, X } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { EventBus } from '#web/lib/pdf/pdfjs-viewer.ts';
import { IconButton } from '#web/ui/controls/button.tsx';

interface Found {
  current: number;
  total: number;
}

/** Searches the PDF in front: ignores case and accents; ligatures match their letters. */
export function FindBar({
  bus,
  onClose,
  inputRef,
}: {
  bus: EventBus;
  onClose: () => void;
  inputRef?: RefObject<HTMLInputElement | null>;
}) {
  const [query, setQuery] = useState('');
  const [found, setFound] = useState<Found | null>(null);
  const own = useRef<HTMLInputElement>(null);
  const input = inputRef ?? own;

  useEffect(() => input.current?.focus(), [input]);
  const lastQuery = useRef('');
  lastQuery.current = query;
  useEffect(() => {
    // another PDF came to the front: search it for the same words
    if (lastQuery.current) dispatchFind(bus, lastQuery.current, '');
    const handleCount = (event: { matchesCount: Found }) => setFound(event.matchesCount);
    bus.on('updatefindmatchescount', handleCount);
    bus.on('updatefindcontrolstate', handleCount);
    return () => {
      bus.off('updatefindmatchescount', handleCount);
      bus.off('updatefindcontrolstate', handleCount);
    };
  }, [bus]);

  const find = (text: string, type: '' | 'again', isBackwards = false) =>
    dispatchFind(bus, text, type, isBackwards);

  return (
    <search className="flex shrink-0 items-center justify-end gap-1 border-b border-hairline px-2 py-1.5 text-[0.8125rem]">
      <input
        ref={input}
        type="search"
        aria-label="Search in the PDF"
        placeholder="Search in the PDF"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          if (event.target.value === '') setFound(null);
          find(event.target.value, '');
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') find(query, 'again', event.shiftKey);
          if (event.key === 'Escape') onClose();
        }}
        className="h-8 min-w-0 max-w-80 flex-1 [&::-webkit-search-cancel-button]:hidden rounded-md border border-edge bg-page px-2 pointer-coarse:h-11 pointer-coarse:text-base"
      />
      <span role="status" className="min-w-16 text-center text-graphite tabular-nums">
        {query && found ? (found.total > 0 ? `${found.current} of ${found.total}` : 'Not found') : ''}
      </span>
      <IconButton
        label="Previous match"
        size="small"
        disabled={!found?.total}
        onClick={() => find(query, 'again', true)}
      >
        <ChevronUp />
      </IconButton>
      <IconButton
        label="Next match"
        size="small"
        disabled={!found?.total}
        onClick={() => find(query, 'again')}
      >
        <ChevronDown />
      </IconButton>
      <IconButton label="Close search" size="small" onClick={onClose}>
        <X />
      </IconButton>
    </search>
  );
}

function dispatchFind(bus: EventBus, query: string, type: '' | 'again', isBackwards = false): void {
  bus.dispatch('find', {
    source: null,
    type,
    query,
    caseSensitive: false,
    entireWord: false,
    highlightAll: true,
    findPrevious: isBackwards,
    matchDiacritics: false,
  });
}
