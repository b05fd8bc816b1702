/** Packs the tray while a sign-in is in progress, and unpacks it: files, and which of their pages in which order. */
import type { PendingConversion } from '#web/lib/pending-action.ts';
import type { TrayItem, TraySource, TrayState } from './tray-state.ts';

export function packTray({ sources, items }: TrayState): PendingConversion {
  const used = sources.filter((source) => items.some((item) => item.sourceId === source.id));
  return {
    kind: 'convert',
    files: used.map((source) => source.file),
    items: items.map(({ sourceId, pageIndex, rotation }) => ({
      file: used.findIndex((source) => source.id === sourceId),
      pageIndex,
      rotation,
    })),
  };
}

/** The tray's items for the stored pages; `sources` are those of the stored files, in their order. */
export function unpackItems(packed: PendingConversion, sources: TraySource[]): TrayItem[] {
  return packed.items.flatMap(({ file, pageIndex, rotation }) => {
    const source = sources[file];
    if (!source) return [];
    return [{ id: `${source.id}/${pageIndex}`, sourceId: source.id, pageIndex, rotation }];
  });
}
