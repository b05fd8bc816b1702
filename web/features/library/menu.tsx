/** Menu entries for items, shared by the "…" menu and the context menu. */
import { ContextMenu, DropdownMenu } from 'radix-ui';
import { Fragment, type ReactNode } from 'react';

export interface MenuEntry {
  label: string;
  icon: ReactNode;
  /** As shown, e.g. `F2`. */
  keys?: string;
  run: () => void;
  /** Has a separator above it. */
  isApart?: boolean;
  /** Never offered for several items. */
  isForOne?: boolean;
}

export const menuClass =
  'z-40 min-w-56 animate-appear rounded-xl border border-hairline bg-page p-1.5 shadow-[0_12px_32px_-8px_oklch(0.2_0.04_266/0.25)]';
export const menuItemClass =
  'flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 text-sm outline-none data-highlighted:bg-wash pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-graphite';

/** Renders the entries in either kind of menu. */
export function MenuEntries({
  entries,
  kind,
}: {
  entries: readonly MenuEntry[];
  kind: 'dropdown' | 'context';
}) {
  const Item = kind === 'dropdown' ? DropdownMenu.Item : ContextMenu.Item;
  const Separator = kind === 'dropdown' ? DropdownMenu.Separator : ContextMenu.Separator;
  return entries.map((entry) => (
    <Fragment key={entry.label}>
      {entry.isApart && <Separator className="-mx-1.5 my-1.5 h-px bg-hairline" />}
      <Item
        className={menuItemClass}
        // a frame later: the menu has restored the focus by then
        onSelect={() => requestAnimationFrame(() => entry.run())}
      >
        {entry.icon}
        {entry.label}
        {entry.keys && <span className="ml-auto pl-6 text-xs text-graphite">{entry.keys}</span>}
      </Item>
    </Fragment>
  ));
}
