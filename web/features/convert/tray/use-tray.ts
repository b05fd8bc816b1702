import { useCallback, useEffect, useMemo, useReducer, useRef } from 'react';
import { openSource, type SourceHandle, sniffKind } from './open-source.ts';
import { emptyTray, reduceTray, type TraySource } from './tray-state.ts';

let sourceCount = 0;

/** The tray with its opened files. `getHandle` gives what can be drawn of a source, once it is open. */
export function useTray() {
  const [tray, dispatch] = useReducer(reduceTray, emptyTray);
  const handles = useRef(new Map<string, SourceHandle>());

  const closeAll = useCallback(() => {
    for (const handle of handles.current.values()) handle.close();
    handles.current.clear();
  }, []);
  useEffect(() => closeAll, [closeAll]);

  const addFiles = useCallback(async (files: File[]) => {
    const sources = await Promise.all(
      files.map(
        async (file): Promise<TraySource> => ({
          id: `s${++sourceCount}`,
          file,
          kind: await sniffKind(file).catch(() => 'other' as const),
          state: 'opening',
          pageCount: 1,
        }),
      ),
    );
    dispatch({ type: 'sourcesAdded', sources });
    // one after the other: a hundred photos at once would fill the memory
    for (const source of sources) {
      const opened = await openSource(source);
      if (opened.kind === 'open') {
        handles.current.set(source.id, opened.handle);
        dispatch({ type: 'sourceOpened', sourceId: source.id, pageCount: opened.pageCount });
      } else dispatch({ type: 'sourceSealed', sourceId: source.id, note: opened.note });
    }
  }, []);

  const clear = useCallback(() => {
    closeAll();
    dispatch({ type: 'cleared' });
  }, [closeAll]);

  const getHandle = useCallback((sourceId: string) => handles.current.get(sourceId) ?? null, []);

  return useMemo(() => ({ tray, dispatch, addFiles, clear, getHandle }), [tray, addFiles, clear, getHandle]);
}

export type Tray = ReturnType<typeof useTray>;
