import { Check, CircleAlert, RotateCcw } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import type { ConversionPage, PageState } from '#shared/api/conversion.ts';
import { cn } from '../../../ui/cn.ts';
import { IconButton } from '../../../ui/controls/button.tsx';
import { Pane, PaneTitle } from '../../../ui/pane.tsx';

interface PageStripProps {
  pages: ConversionPage[];
  selected: number;
  onSelect: (number: number) => void;
  onRetry: (number: number) => void;
  canRetry: boolean;
  renderPicture: (number: number) => ReactNode;
  /** Buttons at the end of the row. */
  actions?: ReactNode;
  className?: string;
}

const stateNames: Record<PageState, string> = {
  waiting: 'waiting',
  reading: 'being read',
  read: 'read',
  failed: 'could not be read',
};

/** The pages of a conversion with their states, which show its progress. */
export function PageStrip(props: PageStripProps) {
  const { pages, selected, onSelect, onRetry, canRetry, renderPicture, actions, className } = props;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const element = list.current?.querySelector<HTMLElement>(`[data-page="${selected}"]`);
    if (!element || !list.current) return;
    // scrollIntoView would scroll the window too
    const { offsetTop, offsetHeight, offsetLeft, offsetWidth } = element;
    const box = list.current;
    if (offsetTop < box.scrollTop || offsetTop + offsetHeight > box.scrollTop + box.clientHeight)
      box.scrollTop = offsetTop - box.clientHeight / 3;
    if (offsetLeft < box.scrollLeft || offsetLeft + offsetWidth > box.scrollLeft + box.clientWidth)
      box.scrollLeft = offsetLeft - box.clientWidth / 3;
  }, [selected]);

  return (
    <Pane
      label="Pages"
      className={className}
      bodyClassName="flex flex-col"
      header={
        <>
          <PaneTitle>
            {pages.length} {pages.length === 1 ? 'page' : 'pages'}
          </PaneTitle>
          <span className="-mr-3 ml-auto">{actions}</span>
        </>
      }
    >
      <ol
        ref={list}
        className="relative flex gap-1 overflow-x-auto p-2 lg:min-h-0 lg:flex-1 lg:flex-col lg:overflow-x-hidden lg:overflow-y-auto"
      >
        {pages.map((page) => (
          <li key={page.number} data-page={page.number} className="relative w-28 shrink-0 lg:w-auto">
            <button
              type="button"
              aria-label={`Page ${page.number}, ${stateNames[page.state]}`}
              aria-current={page.number === selected || undefined}
              onClick={() => onSelect(page.number)}
              className={cn(
                'grid w-full justify-items-center gap-1.5 rounded-lg p-2 transition-colors duration-150',
                page.number === selected ? 'bg-wash forced-colors:outline' : 'hover:bg-wash',
              )}
            >
              <span
                className={cn(
                  'relative block w-24 overflow-hidden rounded-[3px] border border-hairline transition-opacity duration-200',
                  page.state === 'waiting' && 'opacity-55',
                  page.state === 'reading' && 'border-ink',
                  page.state === 'failed' && 'border-red',
                )}
              >
                {renderPicture(page.number)}
                {page.state === 'reading' && <span className="reading-line" aria-hidden="true" />}
              </span>
              <span className="flex h-5 items-center gap-1 text-xs text-graphite tabular-nums">
                {page.number}
                <StateSign state={page.state} />
              </span>
            </button>
            {page.state === 'failed' && canRetry && (
              <IconButton
                label={`Read page ${page.number} again`}
                onClick={() => onRetry(page.number)}
                className="absolute top-3 right-3 border border-red bg-page text-red"
              >
                <RotateCcw />
              </IconButton>
            )}
          </li>
        ))}
      </ol>
    </Pane>
  );
}

function StateSign({ state }: { state: PageState }) {
  if (state === 'read') return <Check className="size-3.5 text-green" aria-hidden="true" />;
  if (state === 'failed') return <CircleAlert className="size-3.5 text-red" aria-hidden="true" />;
  return null;
}
