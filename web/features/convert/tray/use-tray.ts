import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react';
import type { PendingConversion } from '#web/lib/pending-action.ts';
import { openSource, type SourceHandle, sniffKind } from './open-source.ts';
import { unpackItems } from './pack-tray.ts';
import { emptyTray, reduceTray, type TraySource } from './tray-state.ts';

let sourceCount = 0;

/** The tray with its opened files. `getHandle` returns what can be drawn of a source, once it is open. */
export function useTray() {
  const [tray, dispatch] = useReducer(reduceTray, emptyTray);
  const handles = useRef(new Map<string, SourceHandle>());

  const closeAll = useCallback(() => {
    for (const handle of handles.current.values()) handle.close();
    handles.current.clear();
  }, []);
  useEffect(() => closeAll, [closeAll]);

  /** Opens the sources one after the other: a hundred photos at once would fill the memory. */
  const openAll = useCallback(async (sources: TraySource[], opened: 'sourceOpened' | 'sourceReopened') => {
    for (const source of sources) {
      const result = await openSource(source);
      if (result.kind === 'open') {
        handles.current.set(source.id, result.handle);
        dispatch({ type: opened, sourceId: source.id, pageCount: result.pageCount });
      } else dispatch({ type: 'sourceSealed', sourceId: source.id, note: result.note });
    }
  }, []);

  const addFiles = useCallback(
    async (files: File[]) => {
      const sources = await describeSources(files);
      dispatch({ type: 'sourcesAdded', sources });
      await openAll(sources, 'sourceOpened');
    },
    [openAll],
  );

  const restore = useCallback(
    async (packed: PendingConversion) => {
      const sources = await describeSources(packed.files);
      dispatch({ type: 'restored', sources, items: unpackItems(packed, sources) });
      await openAll(sources, 'sourceReopened');
    },
    [openAll],
  );

  const clear = useCallback(() => {
    closeAll();
    dispatch({ type: 'cleared' });
  }, [closeAll]);

  const getHandle = useCallback((sourceId: string) => handles.current.get(sourceId) ?? null, []);

  return useMemo(
    () => ({ tray, dispatch, addFiles, restore, clear, getHandle }),
    [tray, addFiles, restore, clear, getHandle],
  );
}

function describeSources(files: File[]): Promise<TraySource[]> {
  return Promise.all(
    files.map(async (file) => ({
      id: `s${++sourceCount}`,
      file,
      kind: await sniffKind(file).catch(() => 'other' as const),
      state: 'opening',
      pageCount: 1,
    })),
  );
}

export type Tray = ReturnType<typeof useTray>;
