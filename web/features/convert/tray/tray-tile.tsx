import { useSortable } from '@dnd-kit/sortable';
import { CSS } from '@dnd-kit/utilities';
import { FileLock, FileQuestion, GripVertical, ImageIcon, RotateCw, X } from 'lucide-react';
import type { Dispatch, KeyboardEvent } from 'react';
import { cn } from '#web/ui/cn.ts';
import { IconButton } from '#web/ui/controls/button.tsx';
import type { SourceHandle } from './open-source.ts';
import { PagePicture } from './page-picture.tsx';
import type { TrayAction, TrayItem, TraySource } from './tray-state.ts';

interface TrayTileProps {
  item: TrayItem;
  source: TraySource;
  handle: SourceHandle | null;
  /** 1-based position. */
  number: number;
  count: number;
  isSelected: boolean;
  dispatch: Dispatch<TrayAction>;
}

export function TrayTile({ item, source, handle, number, count, isSelected, dispatch }: TrayTileProps) {
  const sortable = useSortable({ id: item.id });
  const move = (toIndex: number) => dispatch({ type: 'itemMoved', itemId: item.id, toIndex });
  const handleKey = (event: KeyboardEvent) => {
    if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowLeft')) move(number - 2);
    else if (event.altKey && (event.key === 'ArrowDown' || event.key === 'ArrowRight')) move(number);
    else if (event.key === 'Delete') dispatch({ type: 'itemRemoved', itemId: item.id });
    else return;
    event.preventDefault();
  };
  const name = `Page ${number} of ${count}: ${source.file.name}${
    source.pageCount > 1 ? `, page ${item.pageIndex + 1} of the file` : ''
  }${item.rotation ? `, rotated ${item.rotation}°` : ''}`;

  return (
    <li
      ref={sortable.setNodeRef}
      style={{ transform: CSS.Translate.toString(sortable.transform), transition: sortable.transition }}
      className={cn(
        'group relative flex w-36 shrink-0 flex-col rounded-lg p-2 transition-colors duration-150 lg:w-auto lg:flex-row lg:gap-1',
        isSelected ? 'bg-wash forced-colors:outline' : 'hover:bg-wash',
        sortable.isDragging && 'z-10 bg-page shadow-lg',
      )}
    >
      <button
        type="button"
        aria-label={name}
        aria-current={isSelected || undefined}
        aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Delete"
        onKeyDown={handleKey}
        onClick={() => dispatch({ type: 'itemSelected', itemId: item.id })}
        className="grid min-h-24 min-w-0 flex-1 place-items-center rounded-md"
      >
        {source.state === 'sealed' ? (
          <SealedPicture source={source} />
        ) : (
          <PagePicture
            handle={handle}
            pageIndex={item.pageIndex}
            rotation={item.rotation}
            maxWidth={112}
            maxHeight={150}
            label=""
            className={cn(
              'max-w-28 overflow-hidden rounded-[3px] border border-hairline shadow-(--lift)',
              isSelected && 'border-ink',
            )}
          />
        )}
      </button>
      <div
        className={cn(
          'flex items-center justify-between lg:flex-col lg:justify-start [&>button]:transition-opacity [&>button]:duration-150',
          !isSelected &&
            'pointer-fine:[&>button]:opacity-0 pointer-fine:group-focus-within:[&>button]:opacity-100 pointer-fine:group-hover:[&>button]:opacity-100',
        )}
      >
        <span
          className="grid h-8 min-w-8 place-items-center text-xs text-graphite tabular-nums"
          aria-hidden="true"
        >
          {number}
        </span>
        <button
          type="button"
          {...sortable.attributes}
          {...sortable.listeners}
          aria-label={`Move page ${number}`}
          title="Drag to move, or press space and use the arrow keys"
          className="grid size-8 cursor-grab touch-none place-items-center rounded-md text-graphite hover:bg-wash hover:text-ink pointer-coarse:size-11"
        >
          <GripVertical className="size-4" />
        </button>
        <IconButton
          size="small"
          label={`Rotate page ${number} clockwise`}
          disabled={source.state !== 'open'}
          onClick={() => dispatch({ type: 'itemTurned', itemId: item.id, by: 90 })}
        >
          <RotateCw />
        </IconButton>
        <IconButton
          size="small"
          label={`Remove page ${number}`}
          onClick={() => dispatch({ type: 'itemRemoved', itemId: item.id })}
        >
          <X />
        </IconButton>
      </div>
    </li>
  );
}

/** A file that this browser cannot show: its name and the reason instead. */
export function SealedPicture({ source, isLarge = false }: { source: TraySource; isLarge?: boolean }) {
  const Icon = source.kind === 'pdf' ? FileLock : source.kind === 'image' ? ImageIcon : FileQuestion;
  return (
    <span
      className={cn(
        'grid aspect-[1/1.3] w-28 content-center justify-items-center gap-2 rounded-[3px] border border-hairline bg-page p-2 text-center',
        isLarge && 'w-72 gap-4 p-6',
      )}
    >
      <Icon className={cn('text-graphite', isLarge ? 'size-8' : 'size-5')} aria-hidden="true" />
      <span
        className={cn(
          'line-clamp-3 w-full break-all',
          isLarge ? 'font-medium' : 'text-[0.6875rem] leading-4',
        )}
      >
        {source.file.name}
      </span>
      {isLarge && <span className="text-sm text-graphite">{source.note}</span>}
    </span>
  );
}
