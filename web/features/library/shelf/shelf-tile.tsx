import { useDraggable } from '@dnd-kit/core';
import { Ellipsis, Folder as FolderIcon, Star } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { type MouseEvent, memo } from 'react';
import { Link } from 'react-router';
import { cn } from '#web/ui/cn.ts';
import { Checkbox } from '#web/ui/controls/checkbox.tsx';
import { describeDay, describeMoment } from '../describe-day.ts';
import { type DragData, useDropTarget } from '../drag-and-drop.tsx';
import type { Items } from '../library-state.ts';
import { MenuEntries, type MenuEntry, menuClass } from '../menu.tsx';
import { addressOf, documentAddress, type ShelfItem } from '../places.ts';
import { RenameField } from '../rename-field.tsx';
import { FirstPage } from './first-page.tsx';

/** What a tile needs from its shelf; the same object as long as the shelf exists. */
export interface ShelfApi {
  toggle: (key: string) => void;
  extendTo: (key: string) => void;
  star: (id: string, isStarred: boolean) => void;
  rename: (item: ShelfItem, name: string | null) => void;
  listEntries: (item: ShelfItem) => MenuEntry[];
  /** What is dragged with it: the selection if it is selected. */
  getDragged: (item: ShelfItem) => Items;
}

interface ShelfTileProps {
  item: ShelfItem;
  view: 'grid' | 'list';
  isTrash: boolean;
  isSelected: boolean;
  /** There is a selection: a click selects. */
  isSelecting: boolean;
  /** The tile that Tab focuses. */
  isCurrent: boolean;
  isRenaming: boolean;
  /** Its folder; shown where items of several folders are listed. */
  folderName: string | null;
  now: number;
  api: ShelfApi;
}

/** A document or a folder on the shelf, as a tile or a row, with its menu. */
export const ShelfTile = memo(function ShelfTile(props: ShelfTileProps) {
  const { item, view, isTrash, isSelected, isRenaming, api } = props;
  const { setNodeRef, listeners, isDragging } = useDraggable({
    id: item.key,
    data: { getItems: () => api.getDragged(item) } satisfies DragData,
    disabled: isTrash || isRenaming,
  });
  const drop = useDropTarget({ kind: 'folder', id: item.kind === 'folder' ? item.id : null });
  const isOver = item.kind === 'folder' && drop.isOver;
  const isRow = view === 'list' || item.kind === 'folder';
  return (
    <li
      ref={(element) => {
        setNodeRef(element);
        // only folders are drop targets
        if (item.kind === 'folder') drop.setNodeRef(element);
      }}
      {...listeners}
      data-key={item.key}
      className={cn(
        'group relative min-w-0 [contain-intrinsic-size:auto_16rem] has-[a:focus-visible,button[data-main]:focus-visible]:outline-2 has-[a:focus-visible,button[data-main]:focus-visible]:outline-offset-2 has-[a:focus-visible,button[data-main]:focus-visible]:outline-focus',
        view === 'list'
          ? 'flex min-h-12 items-center gap-3 border-b border-hairline px-2 pointer-coarse:min-h-14'
          : item.kind === 'folder'
            ? 'flex min-h-14 items-center gap-3 rounded-lg border border-hairline bg-page px-3'
            : 'rounded-lg p-2',
        isSelected ? 'bg-wash' : 'hover:bg-wash',
        isOver && 'bg-wash outline-2 outline-focus',
        isDragging && 'opacity-50',
      )}
    >
      {isRow ? <RowParts {...props} /> : <CardParts {...props} />}
    </li>
  );
});

function CardParts(props: ShelfTileProps) {
  const { item, isSelected, isRenaming, api } = props;
  if (item.kind !== 'document') return null;
  return (
    <>
      <div className="relative">
        <FirstPage
          document={item.document}
          className={cn(
            'aspect-[4/5] w-full rounded-[3px] transition-[border-color] duration-150',
            isSelected && 'border-ink',
          )}
        />
        <Check {...props} className="absolute top-1.5 left-1.5" />
      </div>
      <div className="mt-2 flex items-start gap-1">
        <div className="min-w-0 flex-1">
          {isRenaming ? (
            <RenameField name={item.name} onDone={(name) => api.rename(item, name)} />
          ) : (
            <MainLink
              {...props}
              className="line-clamp-2 text-sm leading-5 font-medium [overflow-wrap:anywhere]"
            />
          )}
          <Facts {...props} className="mt-0.5 truncate text-xs text-graphite" />
        </div>
        <div className="-mt-1.5 -mr-1.5 flex shrink-0">
          <Menu {...props} />
        </div>
      </div>
      <StarButton {...props} className="absolute top-3.5 right-3.5 bg-page/85" />
    </>
  );
}

function RowParts(props: ShelfTileProps) {
  const { item, view, isRenaming, api, now, isTrash } = props;
  const isList = view === 'list';
  return (
    <>
      {isList && <Check {...props} />}
      {item.kind === 'folder' ? (
        <FolderIcon
          className={cn('size-5 shrink-0 fill-ink/8 text-graphite', isList && 'mx-1')}
          aria-hidden="true"
        />
      ) : (
        <FirstPage document={item.document} className="h-9 w-7 shrink-0 rounded-[2px]" />
      )}
      <div className="min-w-0 flex-1">
        {isRenaming ? (
          <RenameField name={item.name} onDone={(name) => api.rename(item, name)} />
        ) : (
          <MainLink {...props} className="block truncate text-sm font-medium" />
        )}
        <Facts {...props} className={cn('truncate text-xs text-graphite', isList && 'md:hidden')} />
      </div>
      {isList && (
        <>
          {props.folderName !== null && (
            <span className="hidden w-36 truncate text-[0.8125rem] text-graphite xl:block">
              {props.folderName}
            </span>
          )}
          <span className="hidden w-24 text-right text-[0.8125rem] text-graphite tabular-nums md:block">
            {describeSize(item)}
          </span>
          <span
            className="hidden w-28 text-right text-[0.8125rem] text-graphite tabular-nums md:block"
            title={describeMoment(momentOf(item, isTrash))}
          >
            {describeDay(momentOf(item, isTrash), now)}
          </span>
        </>
      )}
      <StarButton {...props} />
      <div className="-mr-1.5 flex shrink-0 items-center">
        {!isList && <Check {...props} />}
        <Menu {...props} />
      </div>
    </>
  );
}

/** The name, linking to the item; the link covers the whole tile. */
function MainLink({
  item,
  isTrash,
  isSelecting,
  isCurrent,
  api,
  className,
}: ShelfTileProps & { className: string }) {
  const handleClick = (event: MouseEvent) => {
    if (event.shiftKey) {
      event.preventDefault();
      api.extendTo(item.key);
    } else if (isTrash || (isSelecting && !event.ctrlKey && !event.metaKey && event.detail > 0)) {
      event.preventDefault();
      api.toggle(item.key);
    }
  };
  const shared = {
    tabIndex: isCurrent ? 0 : -1,
    title: item.name,
    'data-main': '',
    onClick: handleClick,
    className: cn('rounded-sm text-left outline-none after:absolute after:inset-0', className),
  };
  return isTrash ? (
    <button type="button" {...shared}>
      {item.name}
    </button>
  ) : (
    <Link
      {...shared}
      draggable={false}
      to={item.kind === 'folder' ? addressOf({ kind: 'folder', id: item.id }) : documentAddress(item.id)}
    >
      {item.name}
    </Link>
  );
}

function Facts({ item, isTrash, folderName, now, className }: ShelfTileProps & { className: string }) {
  const facts = [
    describeSize(item),
    item.kind === 'document' && describeDay(momentOf(item, isTrash), now),
    folderName,
  ];
  return <p className={className}>{facts.filter(Boolean).join(' · ')}</p>;
}

/** The item's size; for a document whose newest text does not compile, a note saying so. */
function describeSize(item: ShelfItem): string {
  if (item.kind === 'folder') {
    const count = item.folder.document_count;
    return count === 0 ? '' : `${count.toLocaleString('en-GB')} ${count === 1 ? 'document' : 'documents'}`;
  }
  const { page_count: pages, version, compiled_version, pdf_version } = item.document;
  if (compiled_version === version && pdf_version !== version) return 'Has errors';
  return pages === null ? '' : `${pages.toLocaleString('en-GB')} ${pages === 1 ? 'page' : 'pages'}`;
}

function momentOf(item: ShelfItem, isTrash: boolean): string {
  if (item.kind === 'folder') return item.folder.updated_at;
  return (isTrash ? item.document.trashed_at : null) ?? item.document.updated_at;
}

/** Visible only on hover and focus with a mouse; always on touch screens. */
const quietClass =
  'pointer-fine:opacity-0 pointer-fine:group-focus-within:opacity-100 pointer-fine:group-hover:opacity-100 pointer-fine:data-[state=open]:opacity-100';
/** The same, but hidden on touch screens: there the menu has the action, and pages stay uncovered. */
const quieterClass = `${quietClass} pointer-coarse:hidden`;

function Check({
  item,
  isSelected,
  isSelecting,
  isCurrent,
  api,
  className,
}: ShelfTileProps & { className?: string }) {
  return (
    <label
      className={cn(
        'z-10 grid size-6 shrink-0 cursor-pointer place-items-center rounded-md pointer-coarse:size-11',
        className ?? 'relative',
        !isSelected && !isSelecting && quieterClass,
      )}
    >
      <Checkbox
        checked={isSelected}
        tabIndex={isCurrent ? 0 : -1}
        aria-label={`Select ${item.name}`}
        // handled by the click, because only that reports the shift key
        onChange={() => undefined}
        onClick={(event) => (event.shiftKey ? api.extendTo(item.key) : api.toggle(item.key))}
      />
    </label>
  );
}

function StarButton({ item, isTrash, isCurrent, api, className }: ShelfTileProps & { className?: string }) {
  if (item.kind !== 'document' || isTrash) return null;
  const isStarred = item.document.starred_at !== null;
  return (
    <button
      type="button"
      tabIndex={isCurrent ? 0 : -1}
      aria-pressed={isStarred}
      aria-label={`Star ${item.name}`}
      title={isStarred ? 'Remove the star' : 'Star'}
      onClick={() => api.star(item.id, !isStarred)}
      className={cn(
        'z-10 grid size-8 shrink-0 place-items-center rounded-md text-graphite hover:text-ink pointer-coarse:size-11',
        className ?? 'relative',
        !isStarred && quieterClass,
      )}
    >
      <Star className={cn('size-4', isStarred && 'fill-ink text-ink')} />
    </button>
  );
}

function Menu({ item, isCurrent, api }: ShelfTileProps) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger
        tabIndex={isCurrent ? 0 : -1}
        aria-label={`Actions for ${item.name}`}
        title="Actions"
        className={cn(
          'relative z-10 grid size-8 shrink-0 place-items-center rounded-md text-graphite hover:bg-wash hover:text-ink pointer-coarse:size-11',
          quietClass,
        )}
      >
        <Ellipsis className="size-4" />
      </DropdownMenu.Trigger>
      {/* not in a portal: it belongs to this landmark */}
      <DropdownMenu.Content align="end" sideOffset={4} collisionPadding={8} className={menuClass}>
        <MenuEntries kind="dropdown" entries={api.listEntries(item)} />
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}
