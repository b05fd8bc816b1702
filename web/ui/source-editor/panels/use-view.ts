/** What the panels show of an editor, kept up to date. */
import { Compartment, StateEffect } from '@codemirror/state';
import { EditorView, type ViewUpdate } from '@codemirror/view';
import { useEffect, useRef, useState } from 'react';
import { getStructure, type Heading } from '../lines/structure.ts';

/** @returns a function that stops watching */
export function watchUpdates(view: EditorView, listener: (update: ViewUpdate) => void): () => void {
  const place = new Compartment();
  view.dispatch({ effects: StateEffect.appendConfig.of(place.of(EditorView.updateListener.of(listener))) });
  return () => view.dispatch({ effects: place.reconfigure([]) });
}

interface Facts<T> {
  read: (view: EditorView) => T;
  isSame: (a: T, b: T) => boolean;
  /** Waits for a pause of this length, ms; 0: at once. */
  restMs: number;
}

/** The result of `read`, after each change of the text or the selection. `facts` is read once. */
export function useFacts<T>(view: EditorView, facts: Facts<T>): T {
  const { read, isSame, restMs } = useRef(facts).current;
  const [known, setKnown] = useState(() => read(view));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      const now = read(view);
      setKnown((before) => (isSame(before, now) ? before : now));
    };
    // changes before this effect ran
    look();
    const stop = watchUpdates(view, ({ docChanged, selectionSet }) => {
      if (!docChanged && !selectionSet) return;
      clearTimeout(timer);
      if (restMs === 0) look();
      else timer = setTimeout(() => view.dom.isConnected && look(), restMs);
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [view, read, isSame, restMs]);
  return known;
}

export const sameFields = <T extends object>(a: T, b: T) =>
  (Object.keys(a) as (keyof T)[]).every((key) => a[key] === b[key]);

interface Outline {
  headings: readonly Heading[];
  /** The cursor's line, 1-based. */
  line: number;
}

/** The headings and the cursor among them. */
export function useOutline(view: EditorView): Outline {
  return useFacts(view, {
    read: ({ state }): Outline => ({
      headings: getStructure(state).headings,
      line: state.doc.lineAt(state.selection.main.head).number,
    }),
    isSame: sameFields,
    restMs: 120,
  });
}

/** Puts the cursor on a line, 1-based, at the top of what is shown. */
export function jumpTo(view: EditorView, number: number): void {
  const at = view.state.doc.line(Math.min(number, view.state.doc.lines));
  view.dispatch({
    selection: { anchor: at.from },
    effects: EditorView.scrollIntoView(at.from, { y: 'start', yMargin: 24 }),
  });
  view.focus();
}
