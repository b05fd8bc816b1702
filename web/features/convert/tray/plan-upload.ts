/**
 * Decides what to send for a tray: original files where nothing was changed, and files to be built where pages were
 * left out, moved or rotated. Pure; build-upload.ts does the building.
 */
import type { Rotation, TrayState } from './tray-state.ts';

type UploadPart =
  | { kind: 'original'; sourceId: string }
  /** Pages of one PDF in a new order, possibly rotated. */
  | { kind: 'pdf-pages'; sourceId: string; pages: { pageIndex: number; rotation: Rotation }[] }
  | { kind: 'turned-image'; sourceId: string; rotation: Rotation };

export interface UploadPlan {
  parts: UploadPart[];
  /** 1-based; other than 1 only if a single PDF is sent unchanged. */
  startPage: number;
  /** 1-based, included; null for the last. */
  endPage: number | null;
  /** Pages that will be read; null if a file's pages cannot be counted here. */
  pageCount: number | null;
}

export function planUpload({ sources, items }: TrayState): UploadPlan {
  const sourceById = new Map(sources.map((source) => [source.id, source]));
  const pageCount = sources.some((source) => source.state !== 'open') ? null : items.length;

  const parts: UploadPart[] = [];
  for (const item of items) {
    const source = sourceById.get(item.sourceId);
    if (!source) continue;
    const last = parts.at(-1);
    if (source.kind !== 'pdf' || source.state !== 'open')
      parts.push(
        item.rotation === 0
          ? { kind: 'original', sourceId: source.id }
          : { kind: 'turned-image', sourceId: source.id, rotation: item.rotation },
      );
    else if (last?.kind === 'pdf-pages' && last.sourceId === source.id)
      last.pages.push({ pageIndex: item.pageIndex, rotation: item.rotation });
    else
      parts.push({
        kind: 'pdf-pages',
        sourceId: source.id,
        pages: [{ pageIndex: item.pageIndex, rotation: item.rotation }],
      });
  }

  const [only] = parts;
  if (parts.length === 1 && only?.kind === 'pdf-pages' && isRange(only.pages)) {
    const startPage = (only.pages[0]?.pageIndex ?? 0) + 1;
    const lastPage = startPage + only.pages.length - 1;
    const isToTheEnd = lastPage === sourceById.get(only.sourceId)?.pageCount;
    const endPage = isToTheEnd ? null : lastPage;
    return { parts: [{ kind: 'original', sourceId: only.sourceId }], startPage, endPage, pageCount };
  }
  const simplified = parts.map((part): UploadPart => {
    const isWhole =
      part.kind === 'pdf-pages' &&
      part.pages.length === sourceById.get(part.sourceId)?.pageCount &&
      isRange(part.pages);
    return isWhole ? { kind: 'original', sourceId: part.sourceId } : part;
  });
  return { parts: simplified, startPage: 1, endPage: null, pageCount };
}

/** True for consecutive pages in their own order, none rotated. */
function isRange(pages: { pageIndex: number; rotation: Rotation }[]): boolean {
  const first = pages[0]?.pageIndex ?? 0;
  return pages.every((page, offset) => page.rotation === 0 && page.pageIndex === first + offset);
}
