import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { rectSortingStrategy, SortableContext, sortableKeyboardCoordinates } from '@dnd-kit/sortable';
import { FilePlus } from 'lucide-react';
import { useEffect, useMemo, useRef } from 'react';
import { Button } from '#web/ui/controls/button.tsx';
import { Pane, PaneTitle } from '#web/ui/pane.tsx';
import { FileButton } from '../file-buttons.tsx';
import { TrayTile } from './tray-tile.tsx';
import type { Tray } from './use-tray.ts';

interface TrayPaneProps {
  tray: Tray;
  onFiles: (files: File[]) => void;
  className?: string;
}

/** The pages to convert, in order, moved by dragging or by keyboard; each can be rotated and removed. */
export function TrayPane({ tray: { tray, dispatch, getHandle }, onFiles, className }: TrayPaneProps) {
  const sensors = useSensors(
    // after a few pixels, so that a tap on a handle is not a drag
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const { items, sources, selectedId, removed } = tray;
  const numberOf = (id: string | number) => items.findIndex((item) => item.id === id) + 1;
  // removing a page also removes the focus: give it to its neighbour
  const list = useRef<HTMLOListElement>(null);
  const lastCount = useRef(items.length);
  useEffect(() => {
    const hasShrunk = items.length < lastCount.current;
    lastCount.current = items.length;
    if (hasShrunk && document.activeElement === document.body)
      list.current?.querySelector<HTMLElement>('[aria-current]')?.focus();
  }, [items.length]);
  const lastOver = useRef<string | number | null>(null);
  const announcements: Announcements = {
    onDragStart: ({ active }) => {
      lastOver.current = active.id;
      return `Picked up page ${numberOf(active.id)} of ${items.length}.`;
    },
    // the first "over" is the page's own place: announcing it would replace the announcement that it was picked up
    onDragOver: ({ over }) => {
      if (!over || over.id === lastOver.current) return undefined;
      lastOver.current = over.id;
      return `Over position ${numberOf(over.id)} of ${items.length}.`;
    },
    onDragEnd: ({ over }) =>
      over ? `Dropped at position ${numberOf(over.id)} of ${items.length}.` : 'Move cancelled.',
    onDragCancel: () => 'Move cancelled.',
  };
  const handleDragEnd = ({ active, over }: DragEndEvent) => {
    if (!over || active.id === over.id) return;
    dispatch({ type: 'itemMoved', itemId: String(active.id), toIndex: numberOf(over.id) - 1 });
  };
  const sourceById = useMemo(() => new Map(sources.map((source) => [source.id, source])), [sources]);

  return (
    <Pane
      label="Pages"
      className={className}
      bodyClassName="flex flex-col"
      header={
        <>
          <PaneTitle>
            {items.length} {items.length === 1 ? 'page' : 'pages'}
          </PaneTitle>
          <FileButton
            onFiles={onFiles}
            label="Add"
            variant="quiet"
            size="small"
            icon={<FilePlus className="size-4" />}
            className="-mr-3 ml-auto"
          />
        </>
      }
    >
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        onDragEnd={handleDragEnd}
        accessibility={{
          announcements,
          screenReaderInstructions: {
            draggable:
              'Press Space to pick up the page, the arrow keys to move it, Space to drop it, Escape to cancel.',
          },
        }}
      >
        <SortableContext items={items.map((item) => item.id)} strategy={rectSortingStrategy}>
          <ol
            ref={list}
            className="flex gap-1 overflow-x-auto p-2 lg:min-h-0 lg:flex-1 lg:flex-col lg:overflow-x-hidden lg:overflow-y-auto"
          >
            {items.map((item, index) => {
              const source = sourceById.get(item.sourceId);
              return source ? (
                <TrayTile
                  key={item.id}
                  item={item}
                  source={source}
                  handle={source.state === 'open' ? getHandle(source.id) : null}
                  number={index + 1}
                  count={items.length}
                  isSelected={item.id === selectedId}
                  dispatch={dispatch}
                />
              ) : null;
            })}
          </ol>
        </SortableContext>
      </DndContext>
      <div role="status" className="shrink-0">
        {removed && (
          <p className="flex animate-settle items-center justify-between gap-2 border-t border-hairline px-3 py-2 text-[0.8125rem]">
            {removed.label}
            <Button variant="quiet" size="small" onClick={() => dispatch({ type: 'removalUndone' })}>
              Undo
            </Button>
          </p>
        )}
      </div>
    </Pane>
  );
}
