/**
 * The tray: added files (sources) and the pages that will be converted, in order (items). Pure; the hook use-tray.ts
 * opens the files and dispatches what it found.
 */

/** The state of a file in the browser. `sealed` ones cannot be shown here and are sent to the server unchanged. */
type SourceState = 'opening' | 'open' | 'sealed';

export interface TraySource {
  id: string;
  file: File;
  kind: 'pdf' | 'image' | 'other';
  state: SourceState;
  /** 1 while unknown: the server counts the pages of a multi-page picture. */
  pageCount: number;
  /** Why a sealed file cannot be shown, in words. */
  note?: string;
}

export type Rotation = 0 | 90 | 180 | 270;

export interface TrayItem {
  id: string;
  sourceId: string;
  /** 0-based page of the source. */
  pageIndex: number;
  /** Clockwise, in degrees, on top of the page's own. */
  rotation: Rotation;
}

export interface TrayState {
  sources: TraySource[];
  items: TrayItem[];
  selectedId: string | null;
  /** The items before the last removal, for undo. */
  removed: { items: TrayItem[]; label: string } | null;
}

export const emptyTray: TrayState = { sources: [], items: [], selectedId: null, removed: null };

export type TrayAction =
  | { type: 'sourcesAdded'; sources: TraySource[] }
  /** The tray kept over a sign-in is restored as it was. */
  | { type: 'restored'; sources: TraySource[]; items: TrayItem[] }
  /** A source of a restored tray, whose pages are already there. */
  | { type: 'sourceReopened'; sourceId: string; pageCount: number }
  | { type: 'sourceOpened'; sourceId: string; pageCount: number }
  | { type: 'sourceSealed'; sourceId: string; note: string }
  | { type: 'itemSelected'; itemId: string }
  | { type: 'itemMoved'; itemId: string; toIndex: number }
  | { type: 'itemTurned'; itemId: string; by: 90 | -90 }
  | { type: 'itemRemoved'; itemId: string }
  | { type: 'removalUndone' }
  | { type: 'rangeChosen'; sourceId: string; startPage: number; endPage: number }
  | { type: 'cleared' };

export function reduceTray(state: TrayState, action: TrayAction): TrayState {
  switch (action.type) {
    case 'sourcesAdded': {
      const items = action.sources.map((source) => itemOf(source, 0));
      return {
        ...state,
        sources: [...state.sources, ...action.sources],
        items: [...state.items, ...items],
        selectedId: state.selectedId ?? items[0]?.id ?? null,
        removed: null,
      };
    }
    case 'restored':
      return {
        ...emptyTray,
        sources: action.sources,
        items: action.items,
        selectedId: action.items[0]?.id ?? null,
      };
    case 'sourceReopened':
      return patchSource(state, action.sourceId, { state: 'open', pageCount: action.pageCount });
    case 'sourceOpened':
      return openSource(state, action.sourceId, action.pageCount);
    case 'sourceSealed':
      return patchSource(state, action.sourceId, { state: 'sealed', note: action.note });
    case 'itemSelected':
      return { ...state, selectedId: action.itemId };
    case 'itemMoved': {
      const from = state.items.findIndex((item) => item.id === action.itemId);
      const item = state.items[from];
      if (!item) return state;
      const items = state.items.filter((other) => other !== item);
      items.splice(Math.max(0, Math.min(action.toIndex, items.length)), 0, item);
      return { ...state, items, removed: null };
    }
    case 'itemTurned':
      return {
        ...state,
        items: state.items.map((item) =>
          item.id === action.itemId
            ? { ...item, rotation: ((item.rotation + action.by + 360) % 360) as Rotation }
            : item,
        ),
      };
    case 'itemRemoved': {
      const index = state.items.findIndex((item) => item.id === action.itemId);
      if (index < 0) return state;
      const items = state.items.filter((item) => item.id !== action.itemId);
      const removed = { items: state.items, label: `Page ${index + 1} removed.` };
      return withItems({ ...state, removed }, items, index);
    }
    case 'removalUndone':
      return state.removed ? withItems({ ...state, removed: null }, state.removed.items, 0) : state;
    case 'rangeChosen':
      return chooseRange(state, action);
    case 'cleared':
      return emptyTray;
  }
}

function itemOf(source: TraySource, pageIndex: number): TrayItem {
  return { id: `${source.id}/${pageIndex}`, sourceId: source.id, pageIndex, rotation: 0 };
}

function patchSource(state: TrayState, sourceId: string, patch: Partial<TraySource>): TrayState {
  return {
    ...state,
    sources: state.sources.map((source) => (source.id === sourceId ? { ...source, ...patch } : source)),
  };
}

function openSource(state: TrayState, sourceId: string, pageCount: number): TrayState {
  const opened = patchSource(state, sourceId, { state: 'open', pageCount });
  const source = opened.sources.find((candidate) => candidate.id === sourceId);
  const at = state.items.findIndex((item) => item.sourceId === sourceId);
  if (!source || at < 0) return opened;
  const items = [...state.items];
  items.splice(at, 1, ...Array.from({ length: pageCount }, (_, pageIndex) => itemOf(source, pageIndex)));
  return { ...opened, items };
}

/** Replaces the items; the selection stays, or moves to the neighbour at `index`. */
function withItems(state: TrayState, items: TrayItem[], index: number): TrayState {
  const usedSources = new Set([...items, ...(state.removed?.items ?? [])].map((item) => item.sourceId));
  const isSelectionLeft = items.some((item) => item.id === state.selectedId);
  return {
    ...state,
    items,
    sources: state.sources.filter((source) => usedSources.has(source.id)),
    selectedId: isSelectionLeft ? state.selectedId : (items[Math.min(index, items.length - 1)]?.id ?? null),
  };
}

/** Reduces one PDF to a range: its pages in the tray stay as they are, missing ones are added in order. */
function chooseRange(
  state: TrayState,
  { sourceId, startPage, endPage }: { sourceId: string; startPage: number; endPage: number },
): TrayState {
  const source = state.sources.find((candidate) => candidate.id === sourceId);
  if (!source) return state;
  const isInRange = (item: TrayItem) => item.pageIndex >= startPage - 1 && item.pageIndex <= endPage - 1;
  const items = state.items.filter((item) => item.sourceId !== sourceId || isInRange(item));
  const firstAt = state.items.findIndex((item) => item.sourceId === sourceId);
  for (let pageIndex = startPage - 1; pageIndex < endPage; pageIndex++) {
    if (items.some((item) => item.sourceId === sourceId && item.pageIndex === pageIndex)) continue;
    const after = items.findLastIndex((item) => item.sourceId === sourceId && item.pageIndex < pageIndex);
    items.splice(after < 0 ? Math.max(0, firstAt) : after + 1, 0, itemOf(source, pageIndex));
  }
  return withItems({ ...state, removed: null }, items, 0);
}

/** The range of a source's pages in the tray, 1-based and included; null if there are none. */
export function rangeOf(state: TrayState, sourceId: string): { startPage: number; endPage: number } | null {
  const indexes = state.items.filter((item) => item.sourceId === sourceId).map((item) => item.pageIndex);
  if (indexes.length === 0) return null;
  return { startPage: Math.min(...indexes) + 1, endPage: Math.max(...indexes) + 1 };
}
