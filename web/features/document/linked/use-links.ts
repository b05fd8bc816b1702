/**
 * Links the three views: ink, source, page.
 *
 *   cursor in the source ──► source map ──► ink        ──► SyncTeX ──► page
 *   click in the ink     ──► source map ──► source     ──► SyncTeX ──► page
 *   click in the page    ──► SyncTeX    ──► source     ──► source map ──► ink
 *
 * A highlight stays until the next one; nothing takes the focus or the selection from where the user works.
 */
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { SavedDocument } from '#shared/api/library.ts';
import type { InkMark } from '#web/ui/ink-marks.tsx';
import type { PdfMark, PdfPoint } from '#web/ui/pdf-viewer/pdf-places.ts';
import type { PdfControls } from '#web/ui/pdf-viewer/pdf-stage.ts';
import { getStructure } from '#web/ui/source-editor/lines/structure.ts';
import type { LivePage } from '../page/use-live-page.ts';
import type { Layout } from '../use-layout.ts';
import { findPlaceAt, findPlaces, highlightRange, revealRange, sourcePlaces } from './source-places.ts';

interface Options {
  opened: SavedDocument;
  view: EditorView | null;
  viewer: RefObject<PdfControls | null>;
  page: LivePage;
  layout: Layout;
}

export interface Links {
  /** For the source's editor; the same object as long as the document is open. */
  extension: Extension;
  ink: readonly InkMark[];
  /** For the page. */
  marks: readonly PdfMark[];
  pickInk: (point: { page: number; x: number; y: number }) => void;
  pickPage: (point: PdfPoint) => Promise<void>;
  /** Highlights what belongs to a range of the source. */
  follow: (from: number, to: number) => void;
}

/** How long the cursor must rest before it is followed, ms. */
const restMs = 150;
const noMarks: readonly PdfMark[] = [];

export function useLinks({ opened, view, viewer, page, layout }: Options): Links {
  const [ink, setInk] = useState<readonly InkMark[]>([]);
  const [marks, setMarks] = useState<readonly PdfMark[]>(noMarks);
  const first = useRef(opened);
  const latest = useRef({ view, page, layout });
  latest.current = { view, page, layout };
  /** Number of the newest request: answers to earlier ones are dropped. */
  const newest = useRef(0);

  const lightPage = useCallback(
    async (line: number, column: number | undefined, isNear: boolean) => {
      const number = newest.current;
      const { page: live, layout: panes } = latest.current;
      const editor = latest.current.view;
      // the preamble is not printed: SyncTeX would name the nearest line that is
      const body = editor && getStructure(editor.state).body.begin;
      const isPrinted = body ? line >= body.line : false;
      const isSeen = isPrinted && panes.isOpen('page') && live.isLive;
      const place = isSeen
        ? await live.session?.locate({ line, column, nearPage: viewer.current?.getPage() })
        : null;
      if (number !== newest.current) return;
      setMarks(place ? [{ kind: 'linked', page: place.page, boxes: place.rectangles }] : noMarks);
      if (place && !isNear) viewer.current?.goTo(place.page, place.focus);
    },
    [viewer],
  );

  const follow = useCallback(
    (from: number, to: number) => {
      const editor = latest.current.view;
      if (!editor) return;
      newest.current++;
      setInk(findPlaces(editor.state, from, to));
      highlightRange(editor, null);
      const line = editor.state.doc.lineAt(from);
      void lightPage(line.number, from - line.from + 1, false);
    },
    [lightPage],
  );
  const latestFollow = useRef(follow);
  latestFollow.current = follow;

  const extension = useMemo(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    return [
      sourcePlaces(first.current.latex, first.current.source_map),
      EditorView.updateListener.of(({ transactions, docChanged, state }) => {
        // selections by the user; those made by this page are followed by the code that makes them
        const isMoved = transactions.some((transaction) => transaction.isUserEvent('select'));
        if (!isMoved && !docChanged) return;
        clearTimeout(timer);
        if (docChanged) {
          newest.current++;
          setMarks(noMarks);
        }
        if (!isMoved) return;
        const { from, to } = state.selection.main;
        timer = setTimeout(() => latestFollow.current(from, to), restMs);
      }),
    ];
  }, []);
  useEffect(() => () => void newest.current++, []);

  return {
    extension,
    ink,
    marks,
    follow,
    pickInk({ page: number, x, y }) {
      if (!view) return;
      newest.current++;
      const found = findPlaceAt(view.state, number, x, y);
      setInk(found ? [found] : []);
      if (!found) {
        setMarks(noMarks);
        return highlightRange(view, null);
      }
      revealRange(view, { from: found.start, to: found.end });
      const line = view.state.doc.lineAt(found.start);
      void lightPage(line.number, found.start - line.from + 1, false);
    },
    async pickPage(point) {
      if (!page.isLive || !view) return;
      const number = ++newest.current;
      const found = await page.session?.findLine(point);
      if (number !== newest.current) return;
      // a click opens no other file; a double click does
      if (!found || found.file !== null) {
        setInk([]);
        setMarks(noMarks);
        return highlightRange(view, null);
      }
      const line = view.state.doc.line(Math.min(found.line, view.state.doc.lines));
      revealRange(view, line);
      setInk(findPlaces(view.state, line.from, line.to));
      // it was clicked, so it is already visible
      void lightPage(line.number, undefined, true);
    },
  };
}
