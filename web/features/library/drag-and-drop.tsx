/**
 * Drag and drop: items of the shelf and the side bar are dragged with the mouse into folders, to the top level, or
 * into the trash. Touch scrolls; for touch and keyboard there is "Move to…".
 */
import {
  DndContext,
  type DragEndEvent,
  DragOverlay,
  type DragStartEvent,
  MouseSensor,
  pointerWithin,
  useDndContext,
  useDroppable,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { FileText, Folder } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { countItems, describeItems, type Items, refuseMove } from './library-state.ts';
import { useLibrary } from './use-library.tsx';

export type DropTarget = { kind: 'folder'; id: string | null } | { kind: 'trash' };

/** The data of a draggable item, read when the drag starts. */
export interface DragData {
  getItems: () => Items;
}

/** How far the pressed mouse moves before it is a drag, in pixels. */
const dragDistance = 6;

export function LibraryDragAndDrop({ children }: { children: ReactNode }) {
  const { library, actions, dragged, setDragged } = useLibrary();
  const sensors = useSensors(useSensor(MouseSensor, { activationConstraint: { distance: dragDistance } }));
  const handleStart = ({ active }: DragStartEvent) => {
    const data = active.data.current as DragData | undefined;
    setDragged(data?.getItems() ?? null);
    // a drag that ends over the item itself fires a click, which would follow its link
    const swallow = (event: Event) => event.preventDefault();
    addEventListener('click', swallow, { capture: true });
    addEventListener(
      'mouseup',
      () => setTimeout(() => removeEventListener('click', swallow, { capture: true })),
      { once: true, capture: true },
    );
  };
  const handleEnd = ({ over }: DragEndEvent) => {
    setDragged(null);
    const target = over?.data.current as DropTarget | undefined;
    if (!target || !dragged || !library) return;
    if (target.kind === 'trash') void actions.trash(dragged.documentIds);
    else if (refuseMove(library.folders, dragged.folderIds, target.id) === null)
      void actions.move(dragged, target.id);
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={pointerWithin}
      onDragStart={handleStart}
      onDragEnd={handleEnd}
      onDragCancel={() => setDragged(null)}
    >
      {children}
      <DragOverlay dropAnimation={null}>{dragged && <DragLabel items={dragged} />}</DragOverlay>
    </DndContext>
  );
}

function DragLabel({ items }: { items: Items }) {
  const { library } = useLibrary();
  const Icon = items.documentIds.length > 0 ? FileText : Folder;
  return (
    <div className="flex w-fit max-w-72 cursor-grabbing items-center gap-2 rounded-lg border border-edge bg-page px-3 py-2 text-sm shadow-lg">
      <Icon className="size-4 shrink-0 text-graphite" />
      <span className="truncate font-medium">{library && describeItems(library, items)}</span>
    </div>
  );
}

/** A drop target. `isOver`: the dragged items are over it and may be dropped. */
export function useDropTarget(target: DropTarget): {
  setNodeRef: (element: HTMLElement | null) => void;
  isOver: boolean;
} {
  const { library, dragged } = useLibrary();
  const id = useId();
  const isFitting =
    dragged !== null &&
    library !== null &&
    countItems(dragged) > 0 &&
    (target.kind === 'trash'
      ? dragged.folderIds.length === 0
      : refuseMove(library.folders, dragged.folderIds, target.id) === null);
  const { setNodeRef, isOver } = useDroppable({ id, data: target, disabled: dragged !== null && !isFitting });
  return { setNodeRef, isOver: isOver && isFitting };
}

/** True during a drag. */
export function useIsDragging(): boolean {
  return useDndContext().active !== null;
}
