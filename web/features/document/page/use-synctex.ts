/** SyncTeX: from the source to its place on the page, and back. */
import type { EditorView } from '@codemirror/view';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { PdfPoint } from '#web/ui/pdf-viewer/pdf-places.ts';
import type { PdfControls } from '#web/ui/pdf-viewer/pdf-stage.ts';
import { findOnlyFormula } from '#web/ui/source-editor/extensions/ask-formula.ts';
import { type CursorPlace, showStretch } from '#web/ui/source-editor/places.ts';
import type { Layout } from '../use-layout.ts';
import type { LivePage } from './use-live-page.ts';

interface Options {
  /** Of the shown text. */
  view: EditorView | null;
  /** The file that is shown; null for the document's own text. */
  file: string | null;
  /** Shows another file, or the document's own text. @returns its editor, once it is mounted */
  showFile: (file: string | null) => Promise<EditorView | null>;
  viewer: RefObject<PdfControls | null>;
  page: LivePage;
  layout: Layout;
}

export interface SyncTex {
  /** `isExplicit`: by a shortcut, so a closed pane is opened, and a failure is reported. */
  locate: (place: CursorPlace, isExplicit: boolean) => void;
  pick: (point: PdfPoint, kind: 'click' | 'double-click') => void;
  /** The outcome of the last search if it failed; null otherwise. */
  news: string | null;
}

const newsMs = 4_000;

export function useSyncTex({ view, file, showFile, viewer, page, layout }: Options): SyncTex {
  const [news, setNews] = useState<string | null>(null);
  useEffect(() => {
    if (news === null) return;
    const timer = setTimeout(() => setNews(null), newsMs);
    return () => clearTimeout(timer);
  }, [news]);
  const newest = useRef(0);
  const isKnown = page.isLive && page.session !== null;

  return {
    news,
    async locate({ line, column }, isExplicit) {
      if (!isExplicit && !layout.isOpen('page')) return;
      if (!isKnown) return isExplicit ? setNews('This text has not been compiled yet.') : undefined;
      const number = ++newest.current;
      const place = await page.session?.locate({
        ...(file === null ? {} : { file }),
        line,
        column,
        nearPage: viewer.current?.getPage(),
      });
      if (number !== newest.current) return;
      if (!place) return isExplicit ? setNews('This line does not appear on the page.') : undefined;
      if (isExplicit) layout.show('page');
      // once its pane is rendered
      requestAnimationFrame(() => viewer.current?.point(place));
    },
    async pick(point, kind) {
      if (kind !== 'double-click') return;
      if (!isKnown) return setNews('This text has not been compiled yet.');
      // selected by the double click
      const word = getSelection()?.toString().trim() ?? '';
      const found = await page.session?.findLine(point);
      const editor = found && found.file !== file ? await showFile(found.file) : view;
      if (!found || !editor) return setNews('No source line is known for this place.');
      layout.show('source');
      const { doc } = editor.state;
      const line = doc.line(Math.min(found.line, doc.lines));
      const at = findWord(line.text, word);
      // in a formula its preview appears, which opens the visual editor
      const start = findOnlyFormula(editor, line.number) ?? line.from;
      if (at === null) showStretch(editor, start, start);
      else showStretch(editor, line.from + at, line.from + at + word.length);
      editor.focus();
    },
  };
}

/** The position of a word in a line, if it occurs exactly once. */
function findWord(line: string, word: string): number | null {
  if (!/^[\p{L}\p{N}]{2,}$/u.test(word)) return null;
  const at = line.indexOf(word);
  return at >= 0 && line.indexOf(word, at + 1) < 0 ? at : null;
}
