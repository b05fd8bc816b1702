/** The doubtful spots of a saved document: stepping through, confirming, undoing; confirmations are saved. */
import type { Extension } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { SavedDocument, SourceMap } from '#shared/api/library.ts';
import { saveLatex } from '#web/lib/api/document-api.ts';
import { type DoubtfulSpot, describeSpots, listSpots } from '#web/lib/doubtful-spots.ts';
import { spotCommands, spotKeys } from '#web/ui/doubtful-spots/spot-keys.ts';
import { readSpots, showSpots, spotMarksAt } from '#web/ui/doubtful-spots/spot-marks.ts';
import { spotTextOf } from '#web/ui/doubtful-spots/spot-text.ts';
import { type SpotsToCheck, useSpots } from '#web/ui/doubtful-spots/use-spots.ts';
import type { EditorCommand } from '#web/ui/source-editor/editor-commands.ts';
import { askFormula, findFormulaIn } from '#web/ui/source-editor/extensions/ask-formula.ts';
import { showStretch } from '#web/ui/source-editor/places.ts';
import type { EditorHandle } from '../editor-handle.ts';
import { describePlaces } from './source-places.ts';

interface Options {
  opened: SavedDocument;
  handle: EditorHandle;
  view: EditorView | null;
  /** Highlights what belongs to a range of the source. */
  onFollow: (from: number, to: number) => void;
}

export interface Doubts {
  extension: Extension;
  check: SpotsToCheck;
  commands: EditorCommand[];
  /** Opens the visual editor; absent if the current spot is in no formula. */
  editFormula: (() => void) | undefined;
}

/** How long after the last confirmation they are sent, ms. */
const keepMs = 400;

export function useDoubts({ opened, handle, view, onFollow }: Options): Doubts {
  const first = useRef(opened);
  const [spots, setSpots] = useState<DoubtfulSpot[]>(() => listSpots(opened.source_map?.doubtful ?? []));
  const checked = useRef(opened.source_map?.checked ?? 0);
  const current = useRef<SpotsToCheck>(null);

  const extension = useMemo(
    () => [
      spotMarksAt(listSpots(first.current.source_map?.doubtful ?? [])),
      keymap.of(spotKeys(() => current.current!)),
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
    return {
      lines: describePlaces(editor.state),
      doubtful: describeSpots(readSpots(editor)),
      ...(checked.current > 0 ? { checked: checked.current } : {}),
    };
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

  const text = useMemo(() => view && spotTextOf(view), [view]);
  const check = useSpots({
    spots,
    checked: checked.current,
    text,
    onShow: ({ start, end }) => {
      if (!view) return;
      setSpots(readSpots(view));
      // the focus stays where it is: in the text, or in the card
      showStretch(view, start, end);
      onFollow(start, end);
    },
    onConfirm: (id) => {
      if (!view) return;
      checked.current++;
      showSpots(
        view,
        readSpots(view).filter((one) => one.id !== id),
      );
      keep();
    },
    onRestore: (spot) => {
      if (!view) return;
      checked.current = Math.max(0, checked.current - 1);
      showSpots(view, [...readSpots(view), spot]);
      keep();
    },
  });
  current.current = check;
  const commands = useMemo(() => spotCommands(() => current.current!), []);

  const { current: spot } = check;
  const formula = view && spot && findFormulaIn(view, spot.start, spot.end);
  return {
    extension,
    check,
    commands,
    editFormula: view && formula !== null ? () => void askFormula(view, formula) : undefined,
  };
}

/** Typing above the spots re-renders nothing, typing in one does. */
function isSame(one: readonly DoubtfulSpot[], other: readonly DoubtfulSpot[]): boolean {
  return (
    one.length === other.length &&
    one.every(
      ({ id, start, end }, at) => other[at]?.id === id && other[at].end - other[at].start === end - start,
    )
  );
}
