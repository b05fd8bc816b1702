import { useCallback, useEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useMediaQuery } from '../../lib/hooks/use-media-query.ts';
import { saveBlob } from '../../lib/save-blob.ts';
import { cn } from '../../ui/cn.ts';
import { ShortcutsDialog } from '../../ui/dialogs/shortcuts-dialog.tsx';
import { FindBar } from '../../ui/pdf-viewer/find-bar.tsx';
import { PdfSheets } from '../../ui/pdf-viewer/pdf-sheets.tsx';
import type { PdfControls, StageView } from '../../ui/pdf-viewer/pdf-stage.ts';
import { forgetPrint, printPdf } from '../../ui/pdf-viewer/print-pdf.ts';
import { ActionButtons } from './action-buttons.tsx';
import { nameFile } from './name-file.ts';
import { PageControls } from './page-controls.tsx';
import { SidePanel } from './side-panel.tsx';
import { useFullScreen } from './use-full-screen.ts';
import { useLastPage } from './use-last-page.ts';
import { usePdfBytes } from './use-pdf-bytes.ts';
import { useSidePanel } from './use-side-panel.ts';
import { useViewerKeys } from './use-viewer-keys.ts';
import { viewerShortcuts } from './viewer-shortcuts.ts';

interface PdfViewProps {
  title: string;
  pdf: Blob;
  /** Slots in the toolbar. */
  middle: HTMLElement | null;
  right: HTMLElement | null;
}

/** A full PDF viewer: pages, zoom, search, thumbnails, outline, rotation, printing, presentation, shortcuts. */
export function PdfView({ title, pdf, middle, right }: PdfViewProps) {
  const bytes = usePdfBytes(pdf);
  const controls = useRef<PdfControls>(null);
  const frame = useRef<HTMLDivElement>(null);
  const findInput = useRef<HTMLInputElement>(null);
  const [view, setView] = useState<StageView | null>(null);
  const [isFinding, setIsFinding] = useState(false);
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const [printing, setPrinting] = useState<'no' | 'preparing' | 'failed'>('no');
  const hasRoom = useMediaQuery('(min-width: 768px)');
  useLastPage(view, controls);
  const side = useSidePanel(view?.pageCount ?? 0);
  const fullScreen = useFullScreen(frame, (isOn) => controls.current?.present(isOn));

  useEffect(() => forgetPrint, []);

  const find = () => {
    fullScreen.leave();
    setIsFinding(true);
    findInput.current?.focus();
    findInput.current?.select();
  };
  const closeFind = useCallback(() => {
    setIsFinding(false);
    view?.bus.dispatch('findbarclose', { source: null });
    controls.current?.focus();
  }, [view?.bus]);
  const print = async () => {
    if (!view || printing === 'preparing') return;
    setPrinting('preparing');
    try {
      await printPdf(pdf, view.pdf);
      setPrinting('no');
    } catch {
      setPrinting('failed');
    }
  };
  const actions = {
    find: () => (isFinding && document.activeElement === findInput.current ? closeFind() : find()),
    print: () => void print(),
    download: () => saveBlob(pdf, nameFile(title)),
    rotate: (direction: 1 | -1) => controls.current?.rotate(direction),
    present: fullScreen.isPossible ? fullScreen.toggle : null,
    help: () => {
      fullScreen.leave();
      setIsHelpOpen(true);
    },
    toggleSide: side.toggle,
  };
  useViewerKeys({ controls, view, isPresenting: fullScreen.isOn, ...actions, find });

  const pageControls = (
    <PageControls
      view={view}
      controls={controls}
      isSideOpen={side.isOpen}
      onToggleSide={side.toggle}
      isSpread={!hasRoom}
    />
  );
  return (
    <>
      {middle && hasRoom && createPortal(pageControls, middle)}
      {right &&
        createPortal(
          <ActionButtons
            {...actions}
            hasRoom={hasRoom}
            isFinding={isFinding}
            isPrinting={printing === 'preparing'}
          />,
          right,
        )}
      {isFinding && view && <FindBar bus={view.bus} onClose={closeFind} inputRef={findInput} />}
      {printing === 'failed' && (
        <p
          role="alert"
          className="shrink-0 border-b border-hairline bg-page px-4 py-2 text-center text-[0.8125rem]"
        >
          This browser could not print the PDF. Download it and print it from there.
        </p>
      )}
      <div className="relative flex min-h-0 flex-1">
        {side.isOpen && view && (
          <SidePanel
            view={view}
            isOver={!hasRoom}
            onClose={() => {
              side.toggle();
              controls.current?.focus();
            }}
            onGo={(page) => controls.current?.goTo(page)}
            onGoToDestination={(destination) => controls.current?.goToDestination(destination)}
          />
        )}
        <div ref={frame} className={cn('flex min-h-0 min-w-0 flex-1', fullScreen.isOn && 'pdf-presenting')}>
          {bytes && <PdfSheets ref={controls} pdf={bytes} zoom="auto" onView={setView} />}
        </div>
      </div>
      {!hasRoom && (
        <div className="flex h-14 shrink-0 items-center border-t border-hairline bg-paper px-2">
          {pageControls}
        </div>
      )}
      <ShortcutsDialog isOpen={isHelpOpen} shortcuts={viewerShortcuts} onClose={() => setIsHelpOpen(false)} />
    </>
  );
}
