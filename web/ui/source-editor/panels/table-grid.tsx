import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { cn } from '#web/ui/cn.ts';

const most = 8;
const numbers = Array.from({ length: most }, (_, index) => index + 1);

/** Chooses a table's size: the pointer or the arrow keys span it, a click or Enter inserts it. */
export function TableGrid({ onPick }: { onPick: (rows: number, columns: number) => void }) {
  const [[rows, columns], setSize] = useState<[rows: number, columns: number]>([3, 3]);
  const grid = useRef<HTMLFieldSetElement>(null);
  const isFirst = useRef(true);
  useEffect(() => {
    if (isFirst.current) isFirst.current = false;
    else grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  });
  const handleKey = (event: KeyboardEvent) => {
    const within = (number: number) => Math.max(1, Math.min(number, most));
    const size = {
      ArrowDown: [rows + 1, columns],
      ArrowUp: [rows - 1, columns],
      ArrowRight: [rows, columns + 1],
      ArrowLeft: [rows, columns - 1],
      Home: [rows, 1],
      End: [rows, most],
    }[event.key];
    if (!size) return;
    event.preventDefault();
    setSize([within(size[0]!), within(size[1]!)]);
  };
  return (
    <div className="p-3">
      <fieldset ref={grid} aria-label="Size of the table" onKeyDown={handleKey}>
        {numbers.map((row) => (
          <div key={row} className="flex">
            {numbers.map((column) => {
              const isIn = row <= rows && column <= columns;
              const isCorner = row === rows && column === columns;
              return (
                <button
                  key={column}
                  type="button"
                  aria-label={name(row, column)}
                  tabIndex={isCorner ? 0 : -1}
                  data-first-focus={isCorner || undefined}
                  onPointerMove={() => !isCorner && setSize([row, column])}
                  onClick={() => onPick(row, column)}
                  className="group block p-0.5 outline-none"
                >
                  <span
                    className={cn(
                      'block size-5 rounded-xs border group-focus-visible:outline-2 group-focus-visible:outline-focus pointer-coarse:size-9',
                      isIn ? 'border-ink bg-wash' : 'border-edge',
                    )}
                  />
                </button>
              );
            })}
          </div>
        ))}
      </fieldset>
      <p aria-hidden="true" className="pt-2 text-center text-xs text-graphite tabular-nums">
        {name(rows, columns)}
      </p>
    </div>
  );
}

const name = (rows: number, columns: number) =>
  `${rows} ${rows === 1 ? 'row' : 'rows'}, ${columns} ${columns === 1 ? 'column' : 'columns'}`;
