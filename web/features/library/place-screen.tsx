import { ChevronRight, FolderPlus, Trash2 } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { Link } from 'react-router';
import type { Folder } from '#shared/api/library.ts';
import { cn } from '#web/ui/cn.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { useDropTarget } from './drag-and-drop.tsx';
import { EmptyPlace } from './empty-place.tsx';
import { NewDocumentMenu } from './exchange/new-document-menu.tsx';
import { listPath, listPlace, type Place } from './library-state.ts';
import { addressOf, listShelf, titleOf } from './places.ts';
import { Shelf } from './shelf/shelf.tsx';
import { ShelfToolbar } from './shelf/shelf-toolbar.tsx';
import { useLibrary } from './use-library.tsx';
import { usePlace } from './use-place.ts';

/** A place of the library: its name, its tools, and its items. */
export function PlaceScreen() {
  const { library, preferences, openDialog } = useLibrary();
  const place = usePlace();
  const { sort, order } = preferences;
  const items = useMemo(
    () => (library ? listShelf(listPlace(library, place, { sort, order })) : null),
    [library, place, sort, order],
  );
  const path = library && place.kind === 'folder' ? listPath(library.folders, place.id) : [];
  const folder = path.at(-1) ?? null;
  const isMissing = library !== null && place.kind === 'folder' && place.id !== null && folder === null;
  const title = isMissing ? 'This folder doesn’t exist' : titleOf(place, folder);
  useEffect(() => {
    document.title = `${place.kind === 'all' ? 'My documents' : title} · Inkproof`;
  }, [place.kind, title]);
  const parentId = place.kind === 'folder' ? place.id : null;

  return (
    <>
      <div className="flex flex-wrap items-end gap-x-2 gap-y-3 pt-5 pb-4 sm:pt-7">
        <div className="mr-auto min-w-0">
          {path.length > 0 && <Crumbs path={path} />}
          <h1 className="truncate font-serif text-[1.625rem] leading-tight font-medium tracking-tight sm:text-3xl">
            {library === null && place.kind === 'folder' && place.id !== null ? ' ' : title}
          </h1>
        </div>
        {!isMissing && (
          <div className="flex flex-wrap items-center gap-2">
            {place.kind === 'trash' ? (
              items !== null &&
              items.length > 0 && (
                <Button
                  size="small"
                  icon={<Trash2 className="size-4" />}
                  onClick={() =>
                    openDialog({
                      kind: 'delete',
                      items: { documentIds: items.map(({ id }) => id), folderIds: [] },
                    })
                  }
                >
                  Empty the trash
                </Button>
              )
            ) : (
              <>
                <NewDocumentMenu />
                <Button
                  size="small"
                  icon={<FolderPlus className="size-4" />}
                  onClick={() => openDialog({ kind: 'new-folder', parentId })}
                >
                  <span className="max-sm:sr-only">New folder</span>
                </Button>
              </>
            )}
            <ShelfToolbar isOrdered={place.kind === 'recent'} />
          </div>
        )}
      </div>
      {place.kind === 'trash' && items !== null && items.length > 0 && (
        <p className="mb-5 text-sm text-graphite">
          Documents stay here for 30 days. Then they are deleted for good.
        </p>
      )}
      {items === null ? (
        <Waiting view={preferences.view} />
      ) : items.length === 0 ? (
        <EmptyPlace place={place} isMissing={isMissing} />
      ) : (
        <Shelf key={addressOf(place)} place={place} items={items} />
      )}
    </>
  );
}

/** The parent folders; items can be dropped on them. */
function Crumbs({ path }: { path: readonly Folder[] }) {
  const above: { place: Place; name: string }[] = [
    { place: { kind: 'folder', id: null }, name: 'Folders' },
    ...path.slice(0, -1).map(({ id, name }) => ({ place: { kind: 'folder' as const, id }, name })),
  ];
  return (
    <nav aria-label="Parent folders">
      <ol className="-ml-1.5 flex flex-wrap items-center text-sm text-graphite">
        {above.map(({ place, name }) => (
          <li key={addressOf(place)} className="flex min-w-0 items-center">
            <Crumb place={place} name={name} />
            <ChevronRight className="size-3.5 shrink-0" aria-hidden="true" />
          </li>
        ))}
      </ol>
    </nav>
  );
}

function Crumb({ place, name }: { place: Place; name: string }) {
  const drop = useDropTarget({ kind: 'folder', id: place.kind === 'folder' ? place.id : null });
  return (
    <Link
      ref={drop.setNodeRef}
      to={addressOf(place)}
      draggable={false}
      className={cn(
        'inline-flex min-h-8 max-w-48 items-center rounded-md px-1.5 hover:bg-wash hover:text-ink pointer-coarse:min-h-11',
        drop.isOver && 'bg-wash text-ink outline-2 outline-focus',
      )}
    >
      <span className="truncate">{name}</span>
    </Link>
  );
}

/** Placeholder tiles. Shown only after a moment: most loads are instant. */
function Waiting({ view }: { view: 'grid' | 'list' }) {
  const places = Array.from({ length: 12 }, (_, index) => index);
  return (
    <div role="status" aria-label="Loading" className="animate-appear [animation-delay:250ms]">
      <div
        className={cn(
          view === 'grid' &&
            '-mx-2 grid grid-cols-[repeat(auto-fill,minmax(min(10.5rem,44%),1fr))] gap-x-2 gap-y-5 sm:gap-x-4',
        )}
      >
        {places.map((index) =>
          view === 'grid' ? (
            // the size of a tile: padding, page, two lines
            <div key={index} className="p-2">
              <div className="aspect-[4/5] rounded-[3px] bg-wash" />
              <div className="mt-3 h-3 w-2/3 rounded bg-wash" />
              <div className="mt-2 mb-2 h-2.5 w-1/3 rounded bg-wash" />
            </div>
          ) : (
            <div key={index} className="flex h-12 items-center border-b border-hairline">
              <div className="h-3 w-1/3 rounded bg-wash" />
            </div>
          ),
        )}
      </div>
    </div>
  );
}
