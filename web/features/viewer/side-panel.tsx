import { X } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { cn } from '#web/ui/cn.ts';
import { IconButton } from '#web/ui/controls/button.tsx';
import { Outline, useOutline } from '#web/ui/pdf-viewer/outline.tsx';
import type { StageView } from '#web/ui/pdf-viewer/pdf-stage.ts';
import { Thumbnails } from '#web/ui/pdf-viewer/thumbnails.tsx';

interface SidePanelProps {
  view: StageView;
  /** It covers the pages, and closes once one was chosen. */
  isOver: boolean;
  onClose: () => void;
  onGo: (page: number) => void;
  onGoToDestination: (destination: string | unknown[]) => void;
}

const tabClass =
  'h-11 px-2 text-[0.8125rem] text-graphite hover:text-ink data-[state=active]:font-medium data-[state=active]:text-ink';

/** Thumbnails, and the PDF's outline if it has one. */
export function SidePanel({ view, isOver, onClose, onGo, onGoToDestination }: SidePanelProps) {
  const outline = useOutline(view.pdf);
  const hasOutline = outline !== null && outline.length > 0;
  const then = <T,>(act: (value: T) => void) => {
    return (value: T) => {
      act(value);
      if (isOver) onClose();
    };
  };
  return (
    <Tabs.Root defaultValue="pages" asChild>
      <aside
        aria-label="Contents"
        className={cn(
          'flex w-52 shrink-0 flex-col border-r border-hairline bg-paper',
          isOver && 'absolute inset-y-0 left-0 z-20 w-[min(18rem,85vw)] animate-appear shadow-lg',
        )}
      >
        <div className="flex shrink-0 items-center border-b border-hairline pr-1 pl-2">
          <Tabs.List aria-label="Contents" className="flex gap-1">
            <Tabs.Trigger value="pages" className={tabClass}>
              Pages
            </Tabs.Trigger>
            {hasOutline && (
              <Tabs.Trigger value="outline" className={tabClass}>
                Outline
              </Tabs.Trigger>
            )}
          </Tabs.List>
          <IconButton label="Close the side bar" size="small" className="ml-auto" onClick={onClose}>
            <X />
          </IconButton>
        </div>
        <Tabs.Content value="pages" className="flex min-h-0 flex-1 flex-col outline-none">
          <Thumbnails pdf={view.pdf} page={view.page} rotation={view.rotation} onGo={then(onGo)} />
        </Tabs.Content>
        {hasOutline && (
          <Tabs.Content value="outline" className="flex min-h-0 flex-1 flex-col outline-none">
            <Outline entries={outline} onGo={then(onGoToDestination)} />
          </Tabs.Content>
        )}
      </aside>
    </Tabs.Root>
  );
}
