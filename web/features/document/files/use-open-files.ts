/** Which of a document's files are open for editing, and which one is shown. */
import type { EditorView } from '@codemirror/view';
import { useMemo, useRef, useState } from 'react';
import type { Saver, SaverState } from '../unsent/saver.ts';
import { useSaverState } from '../unsent/use-saver-state.ts';

export interface OpenFiles {
  /** The shown file; null for the document's own text. */
  current: string | null;
  /** Every file opened so far: its editor stays, with its history. */
  opened: readonly string[];
  /** The editor of the shown file; null for the document's own text, or until it is mounted. */
  view: EditorView | null;
  /** The state of the shown file's saver; null for the document's own text. */
  saving: SaverState | null;
  /** Shows a file. @returns its editor, once it is mounted; null if it never is */
  show: (name: string | null) => Promise<EditorView | null>;
  /** Reports an editor that was mounted or unmounted. */
  setView: (name: string | null, view: EditorView | null) => void;
  setSaver: (name: string, saver: Saver | null) => void;
  /** Closes a file that is renamed or removed, after saving everything. */
  close: (name: string) => void;
  /** Saves every open file. @returns whether the server has everything */
  saveAll: () => Promise<boolean>;
}

/** How long an editor may take to mount, in ms: its code is loaded already. */
const mountMs = 5_000;

export function useOpenFiles(): OpenFiles {
  const [current, setCurrent] = useState<string | null>(null);
  const [opened, setOpened] = useState<readonly string[]>([]);
  const [view, setShownView] = useState<EditorView | null>(null);
  const [saver, setShownSaver] = useState<Saver | null>(null);
  const views = useRef(new Map<string | null, EditorView>());
  const savers = useRef(new Map<string, Saver>());
  const shown = useRef<string | null>(null);
  const waiting = useRef<{ name: string | null; resolve: (view: EditorView | null) => void }[]>([]);
  const saving = useSaverState(saver);

  const actions = useMemo(() => {
    const choose = (name: string | null) => {
      shown.current = name;
      setCurrent(name);
      setShownView(name === null ? null : (views.current.get(name) ?? null));
      setShownSaver(name === null ? null : (savers.current.get(name) ?? null));
    };
    return {
      async show(name: string | null) {
        if (name !== null) setOpened((list) => (list.includes(name) ? list : [...list, name]));
        choose(name);
        const known = views.current.get(name);
        if (known) return known;
        return new Promise<EditorView | null>((resolve) => {
          waiting.current.push({ name, resolve });
          setTimeout(() => resolve(null), mountMs);
        });
      },
      setView(name: string | null, made: EditorView | null) {
        if (made) views.current.set(name, made);
        else views.current.delete(name);
        if (name !== null && name === shown.current) setShownView(made);
        if (!made) return;
        for (const one of waiting.current) if (one.name === name) one.resolve(made);
        waiting.current = waiting.current.filter((one) => one.name !== name);
      },
      setSaver(name: string, made: Saver | null) {
        if (made) savers.current.set(name, made);
        else savers.current.delete(name);
        if (name === shown.current) setShownSaver(made);
      },
      close(name: string) {
        setOpened((list) => list.filter((one) => one !== name));
        if (shown.current === name) choose(null);
      },
      async saveAll() {
        const done = await Promise.all([...savers.current.values()].map((one) => one.saveNow()));
        return done.every(Boolean);
      },
    };
  }, []);
  return useMemo(
    () => ({ current, opened, view, saving, ...actions }),
    [current, opened, view, saving, actions],
  );
}
