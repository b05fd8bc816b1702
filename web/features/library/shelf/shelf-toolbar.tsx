import { ArrowDownUp, Check, LayoutGrid, List } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { cn } from '#web/ui/cn.ts';
import { buttonClass, IconButton } from '#web/ui/controls/button.tsx';
import type { Sorting } from '../library-state.ts';
import { menuClass, menuItemClass } from '../menu.tsx';
import { useLibrary } from '../use-library.tsx';

const sorts: Record<Sorting['sort'], string> = { name: 'Name', updated: 'Last changed', created: 'Created' };
const orders: Record<Sorting['sort'], Record<Sorting['order'], string>> = {
  name: { asc: 'A to Z', desc: 'Z to A' },
  updated: { asc: 'Oldest first', desc: 'Newest first' },
  created: { asc: 'Oldest first', desc: 'Newest first' },
};

/** Sorting, unless the place has its own order, and the choice of grid or list. */
export function ShelfToolbar({ isOrdered }: { isOrdered: boolean }) {
  const { preferences, setPreferences } = useLibrary();
  const { sort, order, view } = preferences;
  const item = (label: string, isOn: boolean) => (
    <>
      {label}
      {isOn && <Check className="ml-auto" />}
    </>
  );
  return (
    <>
      {!isOrdered && (
        <DropdownMenu.Root modal={false}>
          <DropdownMenu.Trigger
            aria-label={`Order: ${sorts[sort]}, ${orders[sort][order]}`}
            className={buttonClass({ variant: 'quiet', size: 'small' })}
          >
            <ArrowDownUp className="size-4" />
            <span className="max-sm:hidden">{sorts[sort]}</span>
          </DropdownMenu.Trigger>
          <DropdownMenu.Content align="end" sideOffset={4} collisionPadding={8} className={menuClass}>
            <DropdownMenu.RadioGroup
              value={sort}
              onValueChange={(chosen) => {
                const next = chosen as Sorting['sort'];
                // the usual first choice: A to Z, or newest first
                setPreferences({ sort: next, order: next === 'name' ? 'asc' : 'desc' });
              }}
            >
              {(Object.keys(sorts) as Sorting['sort'][]).map((one) => (
                <DropdownMenu.RadioItem key={one} value={one} className={menuItemClass}>
                  {item(sorts[one], one === sort)}
                </DropdownMenu.RadioItem>
              ))}
            </DropdownMenu.RadioGroup>
            <DropdownMenu.Separator className="-mx-1.5 my-1.5 h-px bg-hairline" />
            <DropdownMenu.RadioGroup
              value={order}
              onValueChange={(chosen) => setPreferences({ order: chosen as Sorting['order'] })}
            >
              {(['asc', 'desc'] as const).map((one) => (
                <DropdownMenu.RadioItem key={one} value={one} className={menuItemClass}>
                  {item(orders[sort][one], one === order)}
                </DropdownMenu.RadioItem>
              ))}
            </DropdownMenu.RadioGroup>
          </DropdownMenu.Content>
        </DropdownMenu.Root>
      )}
      <fieldset className="flex rounded-lg border border-hairline">
        <legend className="sr-only">View</legend>
        {(['grid', 'list'] as const).map((one) => (
          <IconButton
            key={one}
            size="small"
            label={one === 'grid' ? 'Grid' : 'List'}
            aria-pressed={view === one}
            onClick={() => setPreferences({ view: one })}
            className={cn(view === one && 'bg-wash text-ink')}
          >
            {one === 'grid' ? <LayoutGrid /> : <List />}
          </IconButton>
        ))}
      </fieldset>
    </>
  );
}
