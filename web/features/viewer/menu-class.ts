export const menuClass =
  'z-40 max-h-(--radix-dropdown-menu-content-available-height) min-w-48 animate-appear overflow-y-auto rounded-xl border border-hairline bg-page p-1.5 shadow-lg';
export const menuItemClass =
  'flex min-h-9 cursor-default items-center gap-3 rounded-md px-3 text-sm outline-none select-none data-disabled:text-graphite data-highlighted:bg-wash pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-graphite';
