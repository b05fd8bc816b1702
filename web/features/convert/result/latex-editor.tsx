import { Compartment, EditorState, Transaction } from '@codemirror/state';
import { EditorView, keymap } from '@codemirror/view';
import { type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import { findDifference } from '#latex/edits/text-difference.ts';
import type { TextChange } from '#shared/api/compile-session.ts';
import type { Figure } from '#shared/api/conversion.ts';
import type { LogFix } from '#shared/api/errors.ts';
import { readInk } from '#web/lib/api/ink-api.ts';
import type { DoubtfulSpot } from '#web/lib/doubtful-spots.ts';
import { stopKeys } from '#web/ui/controls/stop-button.tsx';
import { spotCommands, spotKeys } from '#web/ui/doubtful-spots/spot-keys.ts';
import { readSpots, showSpots, spotMarks } from '#web/ui/doubtful-spots/spot-marks.ts';
import { type SpotText, spotTextOf } from '#web/ui/doubtful-spots/spot-text.ts';
import type { SpotsToCheck } from '#web/ui/doubtful-spots/use-spots.ts';
import { applyFixes, type CompileReport, showReport } from '#web/ui/source-editor/compile-report.ts';
import { composeExtensions } from '#web/ui/source-editor/compose-extensions.ts';
import type { EditorCommand } from '#web/ui/source-editor/editor-commands.ts';
import { figures as figurePictures, inkReading } from '#web/ui/source-editor/extensions/surroundings.ts';
import {
  type CursorPlace,
  describeCursor,
  goToLine,
  listChanges,
  showStretch,
} from '#web/ui/source-editor/places.ts';
import { SourceFrame } from '#web/ui/source-editor/source-frame.tsx';

export interface LatexEditorHandle {
  /** 1-based. */
  jumpToLine: (line: number) => void;
  getCursor: () => CursorPlace;
  /** Applies fixes, each to the result of the previous one, as one undo step. */
  applyFixes: (steps: readonly LogFix[]) => void;
  /** Selects a stretch; the focus stays where it is. */
  select: (start: number, end: number) => void;
}

interface LatexEditorProps {
  ref: Ref<LatexEditorHandle>;
  value: string;
  isReadOnly: boolean;
  /** The last compile's messages, marked at their lines. */
  report: CompileReport;
  spots: DoubtfulSpot[];
  /** The figures that the document may include. */
  figures: readonly Figure[];
  /** `spots`: their positions after the edit. `changes`: the edit itself, in offsets of the text before. */
  onChange: (value: string, spots: DoubtfulSpot[], changes: TextChange[]) => void;
  onCompile: () => void;
  onStop: () => void;
  /** Locates a place in the PDF: requested by Ctrl or Cmd with Shift and Enter, suggested by a double click. */
  onLocate: (place: CursorPlace, isRequested: boolean) => void;
  /** The doubtful spots, for the keys that go to them. */
  check: SpotsToCheck;
  onSpotText: (text: SpotText | null) => void;
  /** The cursor or selection has been at this stretch for a moment. */
  onRest: (from: number, to: number) => void;
}

/** How long the cursor must rest before `onRest`, ms. */
const restMs = 150;

/**
 * The source editor for results: errors at their lines, doubtful spots, places in the PDF. Ctrl or Cmd with Enter or
 * S compiles.
 */
export function LatexEditor({
  ref,
  value,
  isReadOnly,
  report,
  spots,
  figures,
  onChange,
  onCompile,
  onStop,
  onLocate,
  check,
  onSpotText,
  onRest,
}: LatexEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const readOnly = useRef(new Compartment());
  const latest = useRef({ onChange, onCompile, onStop, onLocate, check, onSpotText, onRest, figures });
  latest.current = { onChange, onCompile, onStop, onLocate, check, onSpotText, onRest, figures };
  const [shownView, setShownView] = useState<EditorView | null>(null);
  const firstValue = useRef(value);

  useEffect(() => {
    if (!place.current) return;
    const compile = () => {
      latest.current.onCompile();
      return true;
    };
    const locate = (editor: EditorView, isRequested = true) => {
      latest.current.onLocate(describeCursor(editor), isRequested);
      return true;
    };
    let resting: ReturnType<typeof setTimeout> | undefined;
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: firstValue.current,
        extensions: [
          composeExtensions({
            keys: keymap.of([
              { key: 'Mod-Enter', run: compile, preventDefault: true },
              { key: 'Shift-Mod-Enter', run: (view) => locate(view), preventDefault: true },
              { key: 'Mod-s', run: compile, preventDefault: true },
              ...spotKeys(() => latest.current.check),
            ]),
            listFigures: () => latest.current.figures.map(({ name }) => name),
          }),
          inkReading.of(readInk),
          EditorView.domEventHandlers({
            dblclick: (_, editor) => {
              // the browser selects the double-clicked word first
              setTimeout(() => locate(editor, false));
            },
          }),
          readOnly.current.of([]),
          spotMarks,
          figurePictures.of(() => latest.current.figures),
          EditorView.updateListener.of((update) => {
            if (update.selectionSet) {
              clearTimeout(resting);
              const { from, to } = update.state.selection.main;
              resting = setTimeout(() => latest.current.onRest(from, to), restMs);
            }
            const isOurs = update.transactions.some((transaction) =>
              transaction.annotation(Transaction.remote),
            );
            if (update.docChanged && !isOurs)
              latest.current.onChange(
                update.state.doc.toString(),
                readSpots(update.view),
                listChanges(update.changes),
              );
          }),
        ],
      }),
    });
    view.current = editor;
    setShownView(editor);
    latest.current.onSpotText(spotTextOf(editor));
    return () => {
      clearTimeout(resting);
      view.current = null;
      setShownView(null);
      latest.current.onSpotText(null);
      editor.destroy();
    };
  }, []);

  // text from elsewhere (a change request, a new delivery) is applied as one undo step
  useEffect(() => {
    const editor = view.current;
    const shown = editor?.state.doc.toString();
    if (!editor || shown === undefined || shown === value) return;
    const { start, fromEnd, toEnd } = findDifference(shown, value);
    editor.dispatch({
      changes: { from: start, to: fromEnd, insert: value.slice(start, toEnd) },
      annotations: Transaction.remote.of(true),
    });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    // offsets into another text than the one shown would mark the wrong words
    if (editor && editor.state.doc.length === value.length) showSpots(editor, spots);
  }, [spots, value]);

  useEffect(() => {
    view.current?.dispatch({
      effects: readOnly.current.reconfigure(isReadOnly ? [EditorState.readOnly.of(true)] : []),
    });
  }, [isReadOnly]);

  useEffect(() => {
    if (view.current) showReport(view.current, report);
  }, [report]);

  useImperativeHandle(ref, () => ({
    jumpToLine: (number) => view.current && goToLine(view.current, number),
    getCursor: () => (view.current ? describeCursor(view.current) : { line: 1, column: 1 }),
    applyFixes: (steps) => {
      if (!view.current) return;
      applyFixes(view.current, steps);
      view.current.focus();
    },
    select: (start, end) => {
      const editor = view.current;
      if (editor && end <= editor.state.doc.length) showStretch(editor, start, end);
    },
  }));

  const commands = useMemo(
    (): EditorCommand[] => [
      { title: 'Compile', keys: 'Mod-Enter', run: () => latest.current.onCompile() },
      { title: 'Stop compiling', keys: stopKeys, run: () => latest.current.onStop() },
      {
        title: 'Show this line in the PDF',
        keys: 'Shift-Mod-Enter',
        run: (editor) => latest.current.onLocate(describeCursor(editor), true),
      },
      ...spotCommands(() => latest.current.check),
    ],
    [],
  );

  return (
    <div className="absolute inset-0 flex flex-col">
      <SourceFrame view={shownView} isReadOnly={isReadOnly} commands={commands}>
        <div ref={place} className="relative min-h-0 min-w-0 flex-1" />
      </SourceFrame>
    </div>
  );
}
