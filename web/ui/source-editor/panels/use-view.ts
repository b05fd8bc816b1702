/** What the panels show of an editor, kept up to date. */
import { Compartment, StateEffect } from '@codemirror/state';
import { EditorView, type ViewUpdate } from '@codemirror/view';
import { useEffect, useRef, useState } from 'react';
import { projectTexts } from '../extensions/surroundings.ts';

/** @returns a function that stops watching */
export function watchUpdates(view: EditorView, listener: (update: ViewUpdate) => void): () => void {
  const place = new Compartment();
  view.dispatch({ effects: StateEffect.appendConfig.of(place.of(EditorView.updateListener.of(listener))) });
  return () => view.dispatch({ effects: place.reconfigure([]) });
}

export interface Facts<T> {
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
    const lookSoon = () => {
      clearTimeout(timer);
      if (restMs === 0) look();
      // an editor behind another one looks when it is shown
      else timer = setTimeout(() => view.dom.isConnected && view.dom.clientHeight > 0 && look(), restMs);
    };
    const stop = watchUpdates(view, ({ docChanged, selectionSet }) => {
      if (docChanged || selectionSet) lookSoon();
    });
    const stopProject = view.state.facet(projectTexts)?.onChange(lookSoon);
    return () => {
      clearTimeout(timer);
      stop();
      stopProject?.();
    };
  }, [view, read, isSame, restMs]);
  return known;
}

export const sameFields = <T extends object>(a: T, b: T) =>
  (Object.keys(a) as (keyof T)[]).every((key) => a[key] === b[key]);

/** Puts the cursor on a line, 1-based, at the top of what is shown. */
export function jumpTo(view: EditorView, number: number): void {
  const at = view.state.doc.line(Math.min(number, view.state.doc.lines));
  view.dispatch({
    selection: { anchor: at.from },
    effects: EditorView.scrollIntoView(at.from, { y: 'start', yMargin: 24 }),
  });
  view.focus();
}
