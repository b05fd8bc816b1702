import { type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef, useState } from 'react';
import { readPdf } from '#web/lib/pdf/pdf-address.ts';
import { Loading } from '#web/ui/controls/loading.tsx';
import type { PdfMark, PdfPages, PdfPoint } from './pdf-places.ts';
import { createPdfStage, type PdfControls, type PdfStage, type StageView, type Zoom } from './pdf-stage.ts';
import './pdf-viewer.css';

export interface PdfSheetsProps {
  ref?: Ref<PdfControls>;
  /** Its bytes, or an address made by pdf-address.ts. */
  pdf: string | Uint8Array<ArrayBuffer>;
  /** Pages newer than the PDF. */
  pages?: PdfPages | null;
  marks?: readonly PdfMark[];
  /** The initial zoom. */
  zoom?: Zoom;
  /**
   * Called with the clicked place; clicks on links, or while text is selected, are ignored. A double click follows
   * two clicks.
   */
  onPlace?: (point: PdfPoint, kind: 'click' | 'double-click') => void;
  onView?: (view: StageView) => void;
}

const noMarks: readonly PdfMark[] = [];

/**
 * The pages of a PDF, with selectable text. Scripts in it never run. A new PDF is shown at the same place, once it is
 * painted. The component must have a size even while hidden (`visibility`, not `display`), because pdf.js lays its
 * pages out at once.
 */
export function PdfSheets({
  ref,
  pdf,
  pages = null,
  marks = noMarks,
  zoom,
  onPlace,
  onView,
}: PdfSheetsProps) {
  const host = useRef<HTMLDivElement>(null);
  const stage = useRef<PdfStage | null>(null);
  const [isShown, setIsShown] = useState(false);
  const [isFailed, setIsFailed] = useState(false);
  const latest = useRef({ onPlace, onView });
  latest.current = { onPlace, onView };
  const firstZoom = useRef(zoom);

  useLayoutEffect(() => {
    if (!host.current) return;
    const made = createPdfStage({
      host: host.current,
      label: 'PDF pages',
      zoom: firstZoom.current,
      onView: (view) => {
        setIsShown(true);
        latest.current.onView?.(view);
      },
      onPlace: (point, kind) => latest.current.onPlace?.(point, kind),
    });
    stage.current = made;
    return () => {
      stage.current = null;
      made.destroy();
    };
  }, []);
  useImperativeHandle(ref, () => stage.current!, []);

  useEffect(() => {
    let isCurrent = true;
    setIsFailed(false);
    void (async () => {
      // a copy: pdf.js detaches the buffer that it is given
      const bytes = typeof pdf === 'string' ? new Uint8Array(await readPdf(pdf).arrayBuffer()) : pdf.slice();
      const isGood = await stage.current?.show(bytes);
      if (isCurrent && isGood === false) setIsFailed(true);
    })();
    return () => {
      isCurrent = false;
    };
  }, [pdf]);
  useEffect(() => void stage.current?.patch(pages), [pages]);
  useEffect(() => stage.current?.mark(marks), [marks]);

  return (
    <div className="relative min-h-0 min-w-0 flex-1 bg-paper-deep">
      <div ref={host} className="absolute inset-0" />
      {!isShown && !isFailed && <Loading />}
      {isFailed && (
        <p role="alert" className="grid h-full place-items-center p-8 text-center text-graphite">
          This PDF could not be shown here. It can still be downloaded.
        </p>
      )}
    </div>
  );
}
