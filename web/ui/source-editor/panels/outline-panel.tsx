import { type KeyboardEvent, useRef } from 'react';
import { spellOutHidden } from '#latex/source/hidden-characters.ts';
import type { Heading } from '../lines/structure.ts';

interface OutlinePanelProps {
  headings: readonly Heading[];
  /** 1-based line of the cursor. */
  line: number;
  onJump: (line: number) => void;
}

/** The headings: arrow keys move, Enter jumps. */
export function OutlinePanel({ headings, line, onJump }: OutlinePanelProps) {
  const list = useRef<HTMLUListElement>(null);
  const here = headings.findLastIndex((heading) => heading.line <= line);
  const highest = Math.min(...headings.map(({ level }) => level));
  const handleKey = (event: KeyboardEvent) => {
    const buttons = [...(list.current?.querySelectorAll('button') ?? [])];
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    buttons[Math.max(0, Math.min(next, buttons.length - 1))]?.focus();
  };
  if (headings.length === 0)
    return <p className="max-w-64 p-3 text-sm text-graphite">Headings appear here: \section, \subsection.</p>;
  return (
    <ul
      ref={list}
      aria-label="Outline"
      onKeyDown={handleKey}
      className="max-h-[min(26rem,60vh)] w-[min(20rem,calc(100vw-1.5rem))] overflow-y-auto p-1.5"
    >
      {headings.map((heading, index) => (
        <li key={heading.line}>
          <button
            type="button"
            aria-current={index === here || undefined}
            data-first-focus={index === Math.max(here, 0) || undefined}
            tabIndex={index === Math.max(here, 0) ? 0 : -1}
            onClick={() => onJump(heading.line)}
            style={{ paddingLeft: `${0.625 + 0.875 * (heading.level - highest)}rem` }}
            className="block min-h-8 w-full truncate rounded-md pr-2.5 text-left text-sm hover:bg-wash aria-[current]:font-medium pointer-coarse:min-h-11"
          >
            {spellOutHidden(heading.title) || 'Untitled'}
          </button>
        </li>
      ))}
    </ul>
  );
}
