import { Check, ChevronDown, ChevronUp, Minus, PanelLeft, Plus } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { RefObject } from 'react';
import { cn } from '#web/ui/cn.ts';
import { IconButton } from '#web/ui/controls/button.tsx';
import { PageField } from '#web/ui/pdf-viewer/page-field.tsx';
import type { PdfControls, StageView, Zoom } from '#web/ui/pdf-viewer/pdf-stage.ts';
import { menuClass, menuItemClass } from './menu-class.ts';

interface PageControlsProps {
  view: StageView | null;
  controls: RefObject<PdfControls | null>;
  isSideOpen: boolean;
  onToggleSide: () => void;
  /** They have a row of their own. */
  isSpread: boolean;
}

/** Controls for page and zoom. */
export function PageControls({ view, controls, isSideOpen, onToggleSide, isSpread }: PageControlsProps) {
  const { page = 1, pageCount = 0 } = view ?? {};
  const goTo = (number: number) => controls.current?.goTo(number);
  return (
    <div
      role="toolbar"
      aria-label="Pages and zoom"
      className={cn('flex items-center gap-0.5 text-[0.8125rem]', isSpread && 'w-full')}
    >
      <IconButton
        label="Thumbnails"
        aria-expanded={isSideOpen}
        disabled={view === null}
        onClick={onToggleSide}
        className="aria-expanded:bg-wash aria-expanded:text-ink"
      >
        <PanelLeft />
      </IconButton>
      {!isSpread && (
        <>
          <Gap />
          <IconButton label="Previous page" disabled={page <= 1} onClick={() => goTo(page - 1)}>
            <ChevronUp />
          </IconButton>
          <IconButton label="Next page" disabled={page >= pageCount} onClick={() => goTo(page + 1)}>
            <ChevronDown />
          </IconButton>
        </>
      )}
      <PageField page={page} pageCount={pageCount} onGo={goTo} />
      {isSpread ? <span className="flex-1" /> : <Gap />}
      <IconButton label="Zoom out" disabled={view === null} onClick={() => controls.current?.zoomBy(-1)}>
        <Minus />
      </IconButton>
      <ZoomMenu view={view} onZoom={(zoom) => controls.current?.setZoom(zoom)} />
      <IconButton label="Zoom in" disabled={view === null} onClick={() => controls.current?.zoomBy(1)}>
        <Plus />
      </IconButton>
    </div>
  );
}

function Gap() {
  return <span className="mx-1.5 h-5 w-px bg-hairline" aria-hidden="true" />;
}

const percentages = [50, 75, 100, 125, 150, 200, 300, 400];

function ZoomMenu({ view, onZoom }: { view: StageView | null; onZoom: (zoom: Zoom) => void }) {
  const chosen = view === null ? '' : view.zoomMode === 'free' ? String(view.zoom) : view.zoomMode;
  const choices: [value: string, label: string, zoom: Zoom][] = [
    ['auto', 'Automatic', 'auto'],
    ['page-width', 'Fit to width', 'page-width'],
    ['page-fit', 'Fit the page', 'page-fit'],
    ...percentages.map((percent): [string, string, Zoom] => [`${percent}`, `${percent} %`, percent / 100]),
  ];
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger
        aria-label={`Zoom, ${view?.zoom ?? 100} %`}
        disabled={view === null}
        className="flex h-9 min-w-20 items-center justify-center gap-1 rounded-md px-2 tabular-nums hover:bg-wash disabled:text-graphite pointer-coarse:h-11"
      >
        {view?.zoom ?? 100} %
        <ChevronDown className="size-3.5 text-graphite" aria-hidden="true" />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content sideOffset={6} collisionPadding={8} className={menuClass}>
          <DropdownMenu.RadioGroup value={chosen}>
            {choices.map(([value, label, zoom]) => (
              <DropdownMenu.RadioItem
                key={value}
                value={value}
                className={menuItemClass}
                onSelect={() => onZoom(zoom)}
              >
                {label}
                <DropdownMenu.ItemIndicator className="ml-auto">
                  <Check />
                </DropdownMenu.ItemIndicator>
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
