import { FolderPlus, ListChecks } from 'lucide-react';
import { ContextMenu } from 'radix-ui';
import {
  type KeyboardEvent,
  type MouseEvent,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useNavigate } from 'react-router';
import { cn } from '#web/ui/cn.ts';
import { useExchange } from '../exchange/exchange-host.tsx';
import { listItemEntries } from '../item-entries.tsx';
import { listPath, type Place } from '../library-state.ts';
import { MenuEntries, menuClass } from '../menu.tsx';
import { addressOf, documentAddress, itemsOf, type ShelfItem } from '../places.ts';
import { isTyping } from '../toast-bar.tsx';
import { useLibrary } from '../use-library.tsx';
import { BulkBar } from './bulk-bar.tsx';
import { type ShelfApi, ShelfTile } from './shelf-tile.tsx';
import { useSelection } from './use-selection.ts';
import { directionOf, walk } from './walk.ts';

/** How many items are rendered at first, and added each time the end comes near. */
const step = 100;

/** All items of a place, as a grid of first pages or as a list, with selection, keyboard shortcuts and menus. */
export function Shelf({ place, items }: { place: Place; items: readonly ShelfItem[] }) {
  const context = useLibrary();
  const { library, openDialog, preferences } = context;
  const { exportDocument } = useExchange();
  const navigate = useNavigate();
  const isTrash = place.kind === 'trash';
  const order = useMemo(() => items.map(({ key }) => key), [items]);
  const selection = useSelection(order);
  const [current, setCurrent] = useState<string | null>(null);
  const [renaming, setRenaming] = useState<string | null>(null);
  const [menuKey, setMenuKey] = useState<string | null>(null);
  const [drawn, setDrawn] = useState(step);
  const root = useRef<HTMLDivElement>(null);
  const helpId = useId();
  // biome-ignore lint/correctness/useExhaustiveDependencies: updated only with new items, or every tile would re-render each time
  const now = useMemo(() => Date.now(), [items]);
  const shown = items.slice(0, drawn);
  const currentKey = shown.some(({ key }) => key === current) ? current : (shown[0]?.key ?? null);

  const focusKey = useCallback((key: string | undefined) => {
    if (key === undefined) return;
    setCurrent(key);
    requestAnimationFrame(() => {
      const main = root.current?.querySelector<HTMLElement>(`[data-key="${key}"] [data-main]`);
      main?.focus();
      main?.closest('li')?.scrollIntoView({ block: 'nearest' });
    });
  }, []);

  const state = { items, selection, context, isTrash };
  const latest = useRef(state);
  latest.current = state;
  /** The whole selection if it includes this item; otherwise the item alone. */
  const withSelected = useCallback((item: ShelfItem): ShelfItem[] => {
    const { items: all, selection: chosen } = latest.current;
    return chosen.keys.has(item.key) ? all.filter(({ key }) => chosen.keys.has(key)) : [item];
  }, []);
  const open = useCallback(
    (item: ShelfItem) =>
      void navigate(
        item.kind === 'folder' ? addressOf({ kind: 'folder', id: item.id }) : documentAddress(item.id),
      ),
    [navigate],
  );
  const listEntries = useCallback(
    (list: readonly ShelfItem[]) =>
      listItemEntries({
        list,
        isTrash: latest.current.isTrash,
        context: latest.current.context,
        onOpen: open,
        onRename: (item) => setRenaming(item.key),
        onSelect: ({ key }) => latest.current.selection.toggle(key),
        onExport: exportDocument,
      }),
    [open, exportDocument],
  );
  const api = useMemo<ShelfApi>(
    () => ({
      toggle: (key) => {
        setCurrent(key);
        latest.current.selection.toggle(key);
      },
      extendTo: (key) => {
        setCurrent(key);
        latest.current.selection.extendTo(key);
      },
      star: (id, isStarred) => void latest.current.context.actions.star([id], isStarred),
      rename: (item, name) => {
        setRenaming(null);
        focusKey(item.key);
        if (name !== null) void latest.current.context.actions.rename(itemsOf([item]), name);
      },
      listEntries: (item) => listEntries(withSelected(item)),
      getDragged: (item) => itemsOf(withSelected(item)),
    }),
    [focusKey, listEntries, withSelected],
  );

  // the focused item may disappear, through this tab or another: its successor takes the focus
  const focusedAt = useRef(-1);
  useEffect(() => {
    if (focusedAt.current < 0 || document.activeElement !== document.body) return;
    const next = items[Math.min(focusedAt.current, items.length - 1)];
    focusKey(next?.key);
  }, [items, focusKey]);

  const handleKey = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    const key = target.closest('li')?.getAttribute('data-key');
    const index = items.findIndex((item) => item.key === key);
    const item = items[index];
    if (!item || !target.hasAttribute('data-main') || event.altKey) return;
    const isCommand = event.ctrlKey || event.metaKey;
    const direction = directionOf(event.key);
    const affected = withSelected(item);
    if (direction && !isCommand) {
      const tiles = [...(root.current?.querySelectorAll('[data-key]') ?? [])];
      const to = walk(
        tiles.map((tile) => tile.getBoundingClientRect()),
        index,
        direction,
      );
      const reached = items[to];
      if (event.shiftKey && reached) {
        if (!selection.keys.has(item.key)) selection.toggle(item.key);
        selection.extendTo(reached.key);
      }
      if (to > drawn - step / 2) setDrawn((count) => count + step);
      focusKey(reached?.key);
    } else if (event.key === ' ' && event.shiftKey) selection.extendTo(item.key);
    else if (event.key === ' ' || (!isCommand && !event.shiftKey && event.key.toLowerCase() === 'x'))
      selection.toggle(item.key);
    else if (event.key === 'F2' && !isTrash) setRenaming(item.key);
    else if (event.key === 'Delete' || (event.key === 'Backspace' && event.metaKey))
      listEntries(affected)
        .findLast(({ keys }) => keys === 'Del')
        ?.run();
    else if (!isCommand && !event.shiftKey && /^[ms]$/i.test(event.key))
      listEntries(affected)
        .find(({ keys }) => keys === event.key.toUpperCase())
        ?.run();
    else return;
    event.preventDefault();
  };

  useEffect(() => {
    const handle = (event: globalThis.KeyboardEvent) => {
      if (isTyping(event.target) || document.querySelector('[role=dialog],[role=alertdialog],[role=menu]'))
        return;
      const { selection: chosen } = latest.current;
      if ((event.ctrlKey || event.metaKey) && event.key === 'a') {
        event.preventDefault();
        chosen.selectAll();
      } else if (event.key === 'Escape' && chosen.keys.size > 0) chosen.clear();
    };
    addEventListener('keydown', handle);
    return () => removeEventListener('keydown', handle);
  }, []);

  const more = useRef<HTMLDivElement>(null);
  const hasMore = drawn < items.length;
  // after each step: the end may still be visible
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!more.current || !hasMore) return;
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && setDrawn((count) => count + step),
      { rootMargin: '800px' },
    );
    observer.observe(more.current);
    return () => observer.disconnect();
  }, [hasMore, drawn]);

  const handleContext = (event: MouseEvent) => {
    setMenuKey((event.target as HTMLElement).closest('li')?.getAttribute('data-key') ?? null);
  };
  const menuItem = items.find(({ key }) => key === menuKey);
  const tile = (item: ShelfItem) => (
    <ShelfTile
      key={item.key}
      item={item}
      view={preferences.view}
      isTrash={isTrash}
      isSelected={selection.keys.has(item.key)}
      isSelecting={selection.keys.size > 0}
      isCurrent={item.key === currentKey}
      isRenaming={item.key === renaming}
      folderName={
        item.kind === 'document' && place.kind !== 'folder' && library && item.document.folder_id
          ? (listPath(library.folders, item.document.folder_id).at(-1)?.name ?? null)
          : null
      }
      now={now}
      api={api}
    />
  );
  const folders = shown.filter(({ kind }) => kind === 'folder');
  const documents = shown.filter(({ kind }) => kind === 'document');
  const isList = preferences.view === 'list';

  return (
    <>
      <p id={helpId} className="sr-only">
        {isTrash
          ? 'Arrow keys move, Space selects, Delete removes for good, Shift and F10 open the menu.'
          : 'Arrow keys move, Enter opens, Space selects, F2 renames, M moves, S stars, Delete removes, Shift and F10 open the menu.'}
      </p>
      <ContextMenu.Root modal={false}>
        <ContextMenu.Trigger asChild>
          {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the links inside */}
          <div
            ref={root}
            onKeyDown={handleKey}
            onContextMenuCapture={handleContext}
            onFocus={(event) => {
              const key = event.target.closest('li')?.getAttribute('data-key');
              if (!key) return;
              focusedAt.current = order.indexOf(key);
              setCurrent(key);
            }}
            onBlur={(event) => {
              // ignores dialogs and menus about the selection; a removed element has no relatedTarget
              const next = event.relatedTarget;
              if (next && !next.closest('[role=dialog],[role=alertdialog],[role=menu]'))
                focusedAt.current = -1;
            }}
            className="min-h-64 pb-24"
          >
            {folders.length > 0 && (
              <ul
                aria-label="Folders"
                aria-describedby={helpId}
                className={cn(
                  isList
                    ? 'border-t border-hairline'
                    : 'mb-8 grid grid-cols-[repeat(auto-fill,minmax(min(15rem,100%),1fr))] gap-3',
                )}
              >
                {folders.map(tile)}
              </ul>
            )}
            {documents.length > 0 && (
              <ul
                aria-label="Documents"
                aria-describedby={helpId}
                className={cn(
                  isList
                    ? folders.length === 0 && 'border-t border-hairline'
                    : '-mx-2 grid grid-cols-[repeat(auto-fill,minmax(min(10.5rem,44%),1fr))] gap-x-2 gap-y-5 sm:gap-x-4',
                )}
              >
                {documents.map(tile)}
              </ul>
            )}
            {hasMore && <div ref={more} className="h-12" />}
          </div>
        </ContextMenu.Trigger>
        <ContextMenu.Content collisionPadding={8} className={menuClass}>
          <MenuEntries
            kind="context"
            entries={
              menuItem
                ? listEntries(withSelected(menuItem))
                : [
                    ...(isTrash
                      ? []
                      : [
                          {
                            label: 'New folder',
                            icon: <FolderPlus />,
                            run: () =>
                              openDialog({
                                kind: 'new-folder',
                                parentId: place.kind === 'folder' ? place.id : null,
                              }),
                          },
                        ]),
                    { label: 'Select all', icon: <ListChecks />, run: selection.selectAll },
                  ]
            }
          />
        </ContextMenu.Content>
      </ContextMenu.Root>
      {selection.keys.size > 0 && (
        <BulkBar
          count={selection.keys.size}
          total={items.length}
          entries={listEntries(items.filter(({ key }) => selection.keys.has(key)))}
          onSelectAll={selection.selectAll}
          onClear={selection.clear}
        />
      )}
    </>
  );
}
