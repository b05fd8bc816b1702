import { cn } from '#web/ui/cn.ts';

export type PaneId = 'ink' | 'source' | 'page';

const names: Record<PaneId, string> = { ink: 'Ink', source: 'Source', page: 'Page' };

interface LayoutSwitchProps {
  panes: readonly PaneId[];
  isOpen: (pane: PaneId) => boolean;
  onToggle: (pane: PaneId) => void;
}

/** Chooses the panes shown side by side, if there is room for several; at least one stays open. */
export function LayoutSwitch({ panes, isOpen, onToggle }: LayoutSwitchProps) {
  return (
    <fieldset className="flex shrink-0 gap-0.5 rounded-lg border border-hairline p-0.5 max-lg:hidden">
      <legend className="sr-only">Panes</legend>
      {panes.map((pane) => (
        <button
          key={pane}
          type="button"
          aria-pressed={isOpen(pane)}
          onClick={() => onToggle(pane)}
          className="h-7 rounded-md px-2.5 text-xs text-graphite transition-colors duration-150 hover:text-ink aria-pressed:bg-wash aria-pressed:font-medium aria-pressed:text-ink"
        >
          {names[pane]}
        </button>
      ))}
    </fieldset>
  );
}

interface PaneTabsProps {
  panes: readonly PaneId[];
  active: PaneId;
  onChoose: (pane: PaneId) => void;
}

/** Tabs for one pane at a time, on small screens. */
export function PaneTabs({ panes, active, onChoose }: PaneTabsProps) {
  return (
    <nav
      aria-label="Panes"
      className="flex shrink-0 gap-0.5 border-b border-hairline bg-paper px-2 py-1.5 lg:hidden"
    >
      {panes.map((pane) => (
        <button
          key={pane}
          type="button"
          aria-current={pane === active || undefined}
          onClick={() => onChoose(pane)}
          className={cn(
            'h-10 flex-1 pointer-coarse:h-11 rounded-md text-sm transition-colors duration-150',
            pane === active ? 'bg-wash font-medium text-ink' : 'text-graphite',
          )}
        >
          {names[pane]}
        </button>
      ))}
    </nav>
  );
}
