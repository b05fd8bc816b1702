/** The doubtful spots of a saved document: stepping through, confirming, undoing; confirmations are saved. */
import type { Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { SavedDocument, SourceMap } from '#shared/api/library.ts';
import { saveLatex } from '#web/lib/api/document-api.ts';
import { type DoubtfulSpot, listSpots } from '#web/lib/doubtful-spots.ts';
import { readSpots, showSpots, spotMarksAt } from '#web/ui/doubtful-spots/spot-marks.ts';
import { useSpots } from '#web/ui/doubtful-spots/use-spots.ts';
import { askFormula, findFormulaIn } from '#web/ui/source-editor/extensions/ask-formula.ts';
import { showStretch } from '#web/ui/source-editor/places.ts';
import type { EditorHandle } from '../editor-handle.ts';
import { describePlaces } from './source-places.ts';

interface Options {
  opened: SavedDocument;
  handle: EditorHandle;
  view: EditorView | null;
  /** Highlights what belongs to a stretch of the source. */
  onFollow: (from: number, to: number) => void;
}

export interface Doubts {
  extension: Extension;
  spots: DoubtfulSpot[];
  current: DoubtfulSpot | null;
  go: (step: 1 | -1) => void;
  confirm: (spot: DoubtfulSpot) => void;
  /** Opens the visual editor; absent if the selected spot is in no formula. */
  editFormula: (() => void) | undefined;
  /** Absent if nothing was confirmed since the document was opened. */
  undo: (() => void) | undefined;
}

/** How long after the last confirmation they are sent, ms. */
const keepMs = 400;

interface Confirmed {
  spot: DoubtfulSpot;
  /** The spot's text, by which it is found again. */
  words: string;
}

export function useDoubts({ opened, handle, view, onFollow }: Options): Doubts {
  const first = useRef(opened);
  const [spots, setSpots] = useState<DoubtfulSpot[]>(() => listSpots(opened.source_map?.doubtful ?? []));
  const [confirmed, setConfirmed] = useState<readonly Confirmed[]>([]);
  const walk = useRef<(step: 1 | -1) => void>(() => {});

  const extension = useMemo(
    () => [
      spotMarksAt(listSpots(first.current.source_map?.doubtful ?? [])),
      keymap.of([
        {
          key: 'F8',
          run: () => {
            walk.current(1);
            return true;
          },
          shift: () => {
            walk.current(-1);
            return true;
          },
          preventDefault: true,
        },
      ]),
      EditorView.updateListener.of((update) => {
        const isMarked = update.transactions.some(({ effects }) => effects.length > 0);
        if (!update.docChanged && !isMarked) return;
        const now = readSpots(update.view);
        // positions are read on demand: typing above the spots re-renders nothing
        setSpots((known) => (isSame(known, now) ? known : now));
      }),
    ],
    [],
  );

  // each save sends the current source map
  const readMap = useCallback((): SourceMap | null => {
    const editor = handle.view();
    if (!editor) return first.current.source_map;
    const doubtful = readSpots(editor).map(({ page, start, end, reason }) => ({
      page,
      start,
      end,
      ...(reason === null ? {} : { reason }),
    }));
    return { lines: describePlaces(editor.state), doubtful };
  }, [handle]);
  const isKnown = opened.source_map !== null;
  useEffect(() => (isKnown ? handle.attachSourceMap(readMap) : undefined), [handle, isKnown, readMap]);

  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const keep = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(async () => {
      if (!(await handle.save())) return;
      // the server already has this text: only the map is new
      await saveLatex(handle.documentId, {
        base_version: handle.version(),
        latex: handle.getText(),
        source_map: readMap(),
      });
    }, keepMs);
  };

  const walker = useSpots({
    spots,
    onShow: ({ id }) => {
      const now = view ? readSpots(view) : [];
      setSpots(now);
      const spot = now.find((one) => one.id === id);
      if (!view || !spot) return;
      // the focus stays where it is: in the text, or on the bar's buttons
      showStretch(view, spot.start, spot.end);
      onFollow(spot.start, spot.end);
    },
    onConfirm: (id) => {
      const now = view ? readSpots(view) : [];
      const spot = now.find((one) => one.id === id);
      if (!view || !spot) return;
      setConfirmed([...confirmed, { spot, words: view.state.sliceDoc(spot.start, spot.end) }]);
      showSpots(
        view,
        now.filter((one) => one !== spot),
      );
      keep();
    },
  });
  walk.current = (step) => {
    if (spots.length > 0) walker.go(step);
  };

  const { current } = walker;
  const formula = view && current && findFormulaIn(view, current.start, current.end);
  const last = confirmed.at(-1);
  return {
    extension,
    spots,
    current,
    go: walker.go,
    confirm: walker.confirm,
    editFormula: view && formula !== null ? () => void askFormula(view, formula) : undefined,
    undo: last
      ? () => {
          setConfirmed(confirmed.slice(0, -1));
          if (!view) return;
          const spot = findAgain(view.state.doc.toString(), last);
          if (!spot) return;
          showSpots(view, [...readSpots(view), spot]);
          walker.goTo(spot);
          keep();
        }
      : undefined,
  };
}

function isSame(one: readonly DoubtfulSpot[], other: readonly DoubtfulSpot[]): boolean {
  return one.length === other.length && one.every(({ id }, at) => other[at]?.id === id);
}

/** A spot's current position: its words, nearest to where they were. */
function findAgain(text: string, { spot, words }: Confirmed): DoubtfulSpot | null {
  let best: number | null = null;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1))
    if (best === null || Math.abs(at - spot.start) < Math.abs(best - spot.start)) best = at;
  return best === null ? null : { ...spot, start: best, end: best + words.length };
}
