import { Fragment, type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from 'react';
import { cn } from './cn.ts';

export interface SplitPane {
  id: string;
  /** Names the region for screen readers. */
  label: string;
  content: ReactNode;
  /** Removed from the row on wide screens, though its state is kept. */
  isClosed?: boolean;
  /** Its initial share of the row; default 1. */
  share?: number;
}

interface SplitPanesProps {
  panes: readonly SplitPane[];
  /** The pane shown when there is room for only one. */
  active: string;
  /** Where the shares are stored in this browser's storage. */
  storageKey: string;
  className?: string;
}

type Shares = Record<string, number>;

/** Narrowest pane, in px. */
const minWidth = 260;
const stepPx = 24;

/**
 * Panes in a row from 1024 px on, each with its last width; one at a time below. A hidden pane keeps its size
 * and everything in it: only its visibility changes.
 */
export function SplitPanes({ panes, active, storageKey, className }: SplitPanesProps) {
  const row = useRef<HTMLDivElement>(null);
  const [shares, setShares] = useState<Shares>(() => readShares(storageKey));
  const [isDragging, setIsDragging] = useState(false);
  const open = panes.filter((pane) => !pane.isClosed);
  const shareOf = (pane: SplitPane) => shares[pane.id] ?? pane.share ?? 1;
  const elementOf = (id: string) => row.current?.querySelector<HTMLElement>(`[data-pane="${id}"]`) ?? null;

  /** Moves the border between two neighbours, respecting the minimum width of both. */
  const move = (left: SplitPane, right: SplitPane, leftWidth: number) => {
    const widths = open.map(({ id }) => elementOf(id)?.offsetWidth ?? 0);
    const at = open.indexOf(left);
    const both = (widths[at] ?? 0) + (widths[at + 1] ?? 0);
    const wanted = Math.round(Math.max(minWidth, Math.min(leftWidth, both - minWidth)));
    if (both < 2 * minWidth) return;
    const total = widths.reduce((sum, width) => sum + width, 0);
    const next: Shares = { ...shares };
    for (const [index, pane] of open.entries()) {
      const width = pane === left ? wanted : pane === right ? both - wanted : (widths[index] ?? 0);
      next[pane.id] = Math.round((width / total) * open.length * 1000) / 1000;
    }
    setShares(next);
    writeShares(storageKey, next);
  };

  return (
    <div ref={row} className={cn('relative flex min-h-0 min-w-0 flex-1', className)}>
      {panes.map((pane) => {
        const at = open.indexOf(pane);
        const left = at > 0 ? open[at - 1] : undefined;
        return (
          <Fragment key={pane.id}>
            {left && (
              <Border
                label={`Width of ${left.label} and ${pane.label}`}
                share={shareOf(left) / (shareOf(left) + shareOf(pane))}
                onGrab={() => setIsDragging(true)}
                onDrop={() => setIsDragging(false)}
                onMove={(x) => {
                  const box = elementOf(left.id)?.getBoundingClientRect();
                  if (box) move(left, pane, x - box.left);
                }}
                onStep={(direction) =>
                  move(left, pane, (elementOf(left.id)?.offsetWidth ?? 0) + direction * stepPx)
                }
                onReset={() => {
                  setShares({});
                  writeShares(storageKey, {});
                }}
              />
            )}
            <section
              data-pane={pane.id}
              aria-label={pane.label}
              style={{ flexGrow: shareOf(pane), flexBasis: 0 }}
              className={cn(
                'min-h-0 min-w-0 max-lg:absolute max-lg:inset-0 lg:relative',
                active !== pane.id && 'max-lg:invisible',
                pane.isClosed && 'lg:hidden',
                isDragging && 'pointer-events-none select-none',
              )}
            >
              {pane.content}
            </section>
          </Fragment>
        );
      })}
    </div>
  );
}

interface BorderProps {
  label: string;
  /** The left one's share of the two neighbours' width: 0 … 1. */
  share: number;
  onGrab: () => void;
  onDrop: () => void;
  /** Called with the pointer's x, in CSS pixels of the window. */
  onMove: (x: number) => void;
  onStep: (direction: 1 | -1) => void;
  onReset: () => void;
}

function Border({ label, share, onGrab, onDrop, onMove, onStep, onReset }: BorderProps) {
  const handleKey = (event: KeyboardEvent) => {
    const direction = ({ ArrowLeft: -1, ArrowRight: 1 } as const)[event.key];
    if (direction) {
      event.preventDefault();
      onStep(direction);
    }
  };
  const handleDown = (event: PointerEvent<HTMLDivElement>) => {
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.focus();
    onGrab();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <hr> takes no focus and no value
    <div
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      title="Drag to resize; double-click for equal widths"
      onKeyDown={handleKey}
      onPointerDown={handleDown}
      onPointerMove={(event) =>
        event.currentTarget.hasPointerCapture(event.pointerId) && onMove(event.clientX)
      }
      onPointerUp={onDrop}
      onPointerCancel={onDrop}
      onDoubleClick={onReset}
      className="group relative z-10 w-px shrink-0 cursor-col-resize touch-none bg-hairline outline-none max-lg:hidden before:absolute before:inset-y-0 before:-inset-x-1.5 after:absolute after:inset-y-0 after:-inset-x-px after:transition-colors after:duration-150 hover:after:bg-edge focus-visible:after:bg-focus"
    />
  );
}

function readShares(key: string): Shares {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    if (typeof stored !== 'object' || stored === null) return {};
    const entries = Object.entries(stored).filter(
      ([, share]) => typeof share === 'number' && share > 0.05 && share < 20,
    );
    return Object.fromEntries(entries) as Shares;
  } catch {
    return {};
  }
}

function writeShares(key: string, shares: Shares): void {
  try {
    localStorage.setItem(key, JSON.stringify(shares));
  } catch {
    // storage is blocked: the shares last as long as the page
  }
}
