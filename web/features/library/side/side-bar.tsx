import { Clock, Files, Folders, Plus, Star, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { cn } from '#web/ui/cn.ts';
import { IconButton } from '#web/ui/controls/button.tsx';
import { type DropTarget, useDropTarget } from '../drag-and-drop.tsx';
import type { Place } from '../library-state.ts';
import { addressOf, isSamePlace } from '../places.ts';
import { useLibrary } from '../use-library.tsx';
import { usePlace } from '../use-place.ts';
import { FolderTree } from './folder-tree.tsx';
import { ShelfSpace } from './shelf-space.tsx';

/** The places of the library, with the folder tree. */
export function SideBar() {
  const { library, openDialog } = useLibrary();
  return (
    <aside
      aria-label="Library"
      className="sticky top-14 hidden h-[calc(100dvh-3.5rem)] flex-col border-r border-hairline lg:flex"
    >
      <nav aria-label="Places" className="min-h-0 flex-1 overflow-y-auto px-3 py-5">
        <ul className="grid gap-0.5">
          <PlaceLinks />
        </ul>
        <div className="mt-6 mb-1 flex items-center gap-1">
          <ul className="min-w-0 flex-1">
            <FoldersLink />
          </ul>
          <IconButton
            label="New folder"
            size="small"
            onClick={() => openDialog({ kind: 'new-folder', parentId: null })}
          >
            <Plus />
          </IconButton>
        </div>
        <FolderTree />
        {library && library.folders.length === 0 && (
          <p className="px-2.5 py-1 text-[0.8125rem] text-graphite">A folder for each course, for example.</p>
        )}
      </nav>
      <ShelfSpace />
    </aside>
  );
}

/** The places in one row, for small screens. */
export function PlaceTabs() {
  return (
    <nav aria-label="Places" className="-mx-4 overflow-x-auto px-4 pb-2 sm:-mx-6 sm:px-6 lg:hidden">
      <ul className="flex w-max gap-1">
        <PlaceLinks isRow />
      </ul>
    </nav>
  );
}

function PlaceLinks({ isRow = false }: { isRow?: boolean }) {
  const { library } = useLibrary();
  const starred = library?.documents.filter(({ starred_at }) => starred_at !== null).length;
  const shared = { isRow };
  return (
    <>
      <PlaceLink
        {...shared}
        place={{ kind: 'all' }}
        icon={<Files />}
        label="All documents"
        shortLabel="All"
        count={library?.documents.length}
      />
      <PlaceLink {...shared} place={{ kind: 'recent' }} icon={<Clock />} label="Recent" />
      <PlaceLink {...shared} place={{ kind: 'starred' }} icon={<Star />} label="Starred" count={starred} />
      {isRow && <FoldersLink isRow />}
      <PlaceLink
        {...shared}
        place={{ kind: 'trash' }}
        icon={<Trash2 />}
        label="Trash"
        count={library?.trash.length}
        target={{ kind: 'trash' }}
      />
    </>
  );
}

/** Links to the top level of folders. */
function FoldersLink({ isRow = false }: { isRow?: boolean }) {
  return (
    <PlaceLink
      isRow={isRow}
      place={{ kind: 'folder', id: null }}
      icon={<Folders />}
      label="Folders"
      target={{ kind: 'folder', id: null }}
    />
  );
}

interface PlaceLinkProps {
  place: Place;
  icon: ReactNode;
  label: string;
  shortLabel?: string;
  count?: number;
  /** Items dropped on it go there. */
  target?: DropTarget;
  isRow: boolean;
}

function PlaceLink({ place, icon, label, shortLabel, count, target, isRow }: PlaceLinkProps) {
  const here = usePlace();
  const { search } = useLocation();
  const drop = useDropTarget(target ?? { kind: 'folder', id: null });
  // in the side bar the folder tree marks the current folder itself
  const isInside = isRow && place.kind === 'folder' && here.kind === 'folder';
  const isSearch = /[?&](q|formula)=/.test(search);
  const isCurrent = !isSearch && (isSamePlace(here, place) || isInside);
  return (
    <li>
      <Link
        ref={target ? drop.setNodeRef : undefined}
        to={addressOf(place)}
        draggable={false}
        aria-current={isCurrent ? 'page' : undefined}
        className={cn(
          'flex min-h-9 items-center gap-2.5 rounded-md px-2.5 text-sm transition-colors duration-150 hover:bg-wash pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0',
          isCurrent ? 'bg-wash font-medium text-ink' : 'text-graphite hover:text-ink',
          target && drop.isOver && 'bg-wash text-ink outline-2 outline-focus',
        )}
      >
        {!isRow && icon}
        <span className="truncate">{isRow ? (shortLabel ?? label) : label}</span>
        {count !== undefined && count > 0 && (
          <span className={cn('text-xs font-normal tabular-nums', !isRow && 'ml-auto')}>
            {count.toLocaleString('en-GB')}
          </span>
        )}
      </Link>
    </li>
  );
}
