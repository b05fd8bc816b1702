import { useDraggable } from '@dnd-kit/core';
import { ChevronRight, Folder as FolderIcon, FolderOpen } from 'lucide-react';
import { ContextMenu } from 'radix-ui';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import { cn } from '#web/ui/cn.ts';
import { type DragData, useDropTarget, useIsDragging } from '../drag-and-drop.tsx';
import { useExchange } from '../exchange/exchange-host.tsx';
import { listItemEntries } from '../item-entries.tsx';
import { buildTree, type FolderNode, listPath } from '../library-state.ts';
import { MenuEntries, menuClass } from '../menu.tsx';
import { addressOf, listShelf } from '../places.ts';
import { RenameField } from '../rename-field.tsx';
import { useLibrary } from '../use-library.tsx';
import { usePlace } from '../use-place.ts';

/** How long items are dragged over a closed folder before it opens, in ms. */
const springMs = 600;

/** The folder tree. Up and down move, right and left open and close, F2 renames; the menu has the other actions. */
export function FolderTree() {
  const context = useLibrary();
  const { library, preferences, setPreferences, actions } = context;
  const { exportDocument } = useExchange();
  const place = usePlace();
  const navigate = useNavigate();
  const [renaming, setRenaming] = useState<string | null>(null);
  const [menuId, setMenuId] = useState<string | null>(null);
  const [focused, setFocused] = useState<string | null>(null);
  const root = useRef<HTMLUListElement>(null);
  const tree = useMemo(() => (library ? buildTree(library) : []), [library]);
  const openIds = useMemo(() => new Set(preferences.openFolders), [preferences.openFolders]);
  const here = place.kind === 'folder' ? place.id : null;

  const setOpen = (id: string, isOpen: boolean) =>
    setPreferences({
      openFolders: isOpen
        ? [...new Set([...preferences.openFolders, id])]
        : preferences.openFolders.filter((one) => one !== id),
    });

  // arriving at a folder opens its parents once, so that it is visible in the tree
  const above = library && here ? listPath(library.folders, here).slice(0, -1) : [];
  const aboveIds = above.map(({ id }) => id).join(' ');
  // biome-ignore lint/correctness/useExhaustiveDependencies: only on arrival; parents closed by the user stay closed
  useEffect(() => {
    const missing = above.map(({ id }) => id).filter((id) => !openIds.has(id));
    if (missing.length > 0) setPreferences({ openFolders: [...preferences.openFolders, ...missing] });
  }, [aboveIds]);

  const nodes = useMemo(() => flatten(tree, openIds), [tree, openIds]);
  const tabbed = nodes.some(({ folder }) => folder.id === focused)
    ? focused
    : nodes.some(({ folder }) => folder.id === here)
      ? here
      : (nodes[0]?.folder.id ?? null);
  const focus = (id: string | undefined) => {
    if (id === undefined) return;
    setFocused(id);
    requestAnimationFrame(() => root.current?.querySelector<HTMLElement>(`[data-folder="${id}"]`)?.focus());
  };

  const entriesFor = (id: string) => {
    const folder = library?.folders.find((one) => one.id === id);
    return folder
      ? listItemEntries({
          list: listShelf({ folders: [folder], documents: [] }),
          isTrash: false,
          context,
          onOpen: () => void navigate(addressOf({ kind: 'folder', id })),
          onRename: () => setRenaming(id),
          onExport: exportDocument,
        })
      : [];
  };

  const handleKey = (event: KeyboardEvent) => {
    const id = (event.target as HTMLElement).getAttribute('data-folder');
    const at = nodes.findIndex(({ folder }) => folder.id === id);
    const node = nodes[at];
    if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
    const isOpen = openIds.has(node.folder.id);
    switch (event.key) {
      case 'ArrowDown':
        focus(nodes[at + 1]?.folder.id);
        break;
      case 'ArrowUp':
        focus(nodes[at - 1]?.folder.id);
        break;
      case 'ArrowRight':
        if (node.children.length > 0 && !isOpen) setOpen(node.folder.id, true);
        else focus(node.children[0]?.folder.id);
        break;
      case 'ArrowLeft':
        if (node.children.length > 0 && isOpen) setOpen(node.folder.id, false);
        else focus(node.folder.parent_id ?? undefined);
        break;
      case 'F2':
        setRenaming(node.folder.id);
        break;
      case 'Delete':
      case 'm':
        entriesFor(node.folder.id)
          .find(({ keys }) => keys === (event.key === 'm' ? 'M' : 'Del'))
          ?.run();
        break;
      default:
        return;
    }
    event.preventDefault();
  };

  if (tree.length === 0) return null;
  return (
    <ContextMenu.Root modal={false}>
      <ContextMenu.Trigger asChild>
        <ul
          ref={root}
          aria-label="Folders"
          onKeyDown={handleKey}
          onFocus={(event) => setFocused(event.target.getAttribute('data-folder') ?? focused)}
          onContextMenuCapture={(event) =>
            setMenuId((event.target as HTMLElement).closest('[data-row]')?.getAttribute('data-row') ?? null)
          }
          className="grid grid-cols-[minmax(0,1fr)] gap-0.5"
        >
          {nodes.map((node) => (
            <TreeRow
              key={node.folder.id}
              node={node}
              isOpen={openIds.has(node.folder.id)}
              isCurrent={node.folder.id === here}
              isTabbed={node.folder.id === tabbed}
              isRenaming={node.folder.id === renaming}
              onOpen={(isOpen) => setOpen(node.folder.id, isOpen)}
              onRenamed={(name) => {
                setRenaming(null);
                focus(node.folder.id);
                if (name !== null)
                  void actions.rename({ documentIds: [], folderIds: [node.folder.id] }, name);
              }}
            />
          ))}
        </ul>
      </ContextMenu.Trigger>
      <ContextMenu.Content collisionPadding={8} className={menuClass}>
        {menuId && <MenuEntries kind="context" entries={entriesFor(menuId)} />}
      </ContextMenu.Content>
    </ContextMenu.Root>
  );
}

function flatten(tree: readonly FolderNode[], openIds: ReadonlySet<string>): FolderNode[] {
  return tree.flatMap((node) => [
    node,
    ...(openIds.has(node.folder.id) ? flatten(node.children, openIds) : []),
  ]);
}

interface TreeRowProps {
  node: FolderNode;
  isOpen: boolean;
  isCurrent: boolean;
  isTabbed: boolean;
  isRenaming: boolean;
  onOpen: (isOpen: boolean) => void;
  onRenamed: (name: string | null) => void;
}

function TreeRow({ node, isOpen, isCurrent, isTabbed, isRenaming, onOpen, onRenamed }: TreeRowProps) {
  const { folder, depth, children, documentCount } = node;
  const isDragging = useIsDragging();
  const drop = useDropTarget({ kind: 'folder', id: folder.id });
  const drag = useDraggable({
    id: `tree-${folder.id}`,
    data: { getItems: () => ({ documentIds: [], folderIds: [folder.id] }) } satisfies DragData,
    disabled: isRenaming,
  });
  const hasChildren = children.length > 0;
  const springs = isDragging && drop.isOver && hasChildren && !isOpen;
  const open = useRef(onOpen);
  open.current = onOpen;
  useEffect(() => {
    if (!springs) return;
    const timer = setTimeout(() => open.current(true), springMs);
    return () => clearTimeout(timer);
  }, [springs]);
  const Icon = isOpen && hasChildren ? FolderOpen : FolderIcon;
  return (
    <li
      ref={(element) => {
        drop.setNodeRef(element);
        drag.setNodeRef(element);
      }}
      {...drag.listeners}
      data-row={folder.id}
      style={{ paddingLeft: `${(depth - 1) * 0.875}rem` }}
      className={cn(drag.isDragging && 'opacity-50')}
    >
      <div
        className={cn(
          'relative flex min-h-9 items-center rounded-md pr-2.5 text-sm transition-colors duration-150 hover:bg-wash pointer-coarse:min-h-11',
          isCurrent ? 'bg-wash font-medium text-ink' : 'text-graphite hover:text-ink',
          drop.isOver && 'bg-wash text-ink outline-2 outline-focus',
        )}
      >
        <button
          type="button"
          tabIndex={-1}
          aria-label={`${isOpen ? 'Close' : 'Open'} ${folder.name}`}
          onClick={() => onOpen(!isOpen)}
          className={cn(
            'relative z-10 grid size-7 shrink-0 place-items-center rounded-md hover:bg-wash',
            !hasChildren && 'invisible',
          )}
        >
          <ChevronRight className={cn('size-3.5 transition-transform duration-150', isOpen && 'rotate-90')} />
        </button>
        {isRenaming ? (
          <RenameField name={folder.name} onDone={onRenamed} />
        ) : (
          <Link
            to={addressOf({ kind: 'folder', id: folder.id })}
            draggable={false}
            data-folder={folder.id}
            tabIndex={isTabbed ? 0 : -1}
            aria-current={isCurrent ? 'page' : undefined}
            aria-expanded={hasChildren ? isOpen : undefined}
            title={folder.name}
            className="flex min-w-0 flex-1 items-center gap-2 outline-none after:absolute after:inset-0 after:rounded-md focus-visible:after:outline-2 focus-visible:after:outline-focus"
          >
            <Icon className="size-4 shrink-0" aria-hidden="true" />
            <span className="truncate">{folder.name}</span>
          </Link>
        )}
        {documentCount > 0 && !isRenaming && (
          <span className="ml-2 text-xs font-normal tabular-nums">
            {documentCount.toLocaleString('en-GB')}
          </span>
        )}
      </div>
    </li>
  );
}
