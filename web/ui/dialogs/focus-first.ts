/** For a panel's `onOpenAutoFocus`: the focus goes to its element marked `data-first-focus`, if it has one. */
export function focusFirst(event: Event): void {
  const first = (event.currentTarget as HTMLElement).querySelector<HTMLElement>('[data-first-focus]');
  if (!first) return;
  event.preventDefault();
  first.focus();
}
