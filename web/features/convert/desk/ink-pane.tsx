import { ChevronLeft, ChevronRight, RotateCcw, RotateCw } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { IconButton } from '../../../ui/controls/button.tsx';
import { ScrollArea } from '../../../ui/controls/scroll-area.tsx';
import { Pane, PaneTitle } from '../../../ui/pane.tsx';

interface InkPaneProps {
  /** The page shown, 1-based. */
  number: number;
  count: number;
  onGo: (number: number) => void;
  onTurn?: (by: 90 | -90) => void;
  /** Draws the page into a box of this size, in CSS pixels. */
  children: (box: { maxWidth: number; maxHeight: number }) => ReactNode;
  /** Below the page. */
  footer?: ReactNode;
  className?: string;
}

/** The original page. */
export function InkPane({ number, count, onGo, onTurn, children, footer, className }: InkPaneProps) {
  const body = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = body.current;
    if (!element) return;
    // in steps, so that resizing the window does not redraw at every pixel
    const observer = new ResizeObserver(() => setWidth(Math.ceil(element.clientWidth / 64) * 64));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  const maxWidth = Math.min(900, width - 32);

  return (
    <Pane
      label="Ink"
      className={className}
      header={
        <>
          <PaneTitle>Ink</PaneTitle>
          <span className="-mr-3 ml-auto flex items-center">
            {onTurn && (
              <>
                <IconButton label="Rotate left" onClick={() => onTurn(-90)}>
                  <RotateCcw />
                </IconButton>
                <IconButton label="Rotate right" onClick={() => onTurn(90)}>
                  <RotateCw />
                </IconButton>
              </>
            )}
            <IconButton label="Previous page" disabled={number <= 1} onClick={() => onGo(number - 1)}>
              <ChevronLeft />
            </IconButton>
            <span className="min-w-12 text-center text-[0.8125rem] text-graphite tabular-nums">
              <span className="sr-only">Page </span>
              {number} / {count}
            </span>
            <IconButton label="Next page" disabled={number >= count} onClick={() => onGo(number + 1)}>
              <ChevronRight />
            </IconButton>
          </span>
        </>
      }
      bodyClassName="bg-paper-deep"
    >
      <div className="flex h-full flex-col">
        <ScrollArea ref={body} label={`Page ${number} as written`} className="min-h-0 flex-1 overflow-auto">
          <div className="grid min-h-full place-items-center p-4">
            {maxWidth > 0 && children({ maxWidth, maxHeight: maxWidth * 1.6 })}
          </div>
        </ScrollArea>
        {footer}
      </div>
    </Pane>
  );
}
