import { Plus } from 'lucide-react';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import type { PendingConversion } from '../../../lib/pending-action.ts';
import { retryImport } from '../../../lib/retry-import.ts';
import { cn } from '../../../ui/cn.ts';
import { Button } from '../../../ui/controls/button.tsx';
import { DropZone } from '../../../ui/controls/drop-zone.tsx';
import { ConfirmDialog } from '../../../ui/dialogs/confirm-dialog.tsx';
import { type InkMark, InkMarks } from '../../../ui/ink-marks.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Pane, PaneTitle } from '../../../ui/pane.tsx';
import { phaseOf } from '../run/converter-state.ts';
import { waitWithPending } from '../run/resume-conversion.ts';
import { isSample } from '../run/samples.ts';
import { useConverter } from '../run/use-converter.ts';
import { useResume } from '../run/use-resume.ts';
import { PagePicture } from '../tray/page-picture.tsx';
import { TrayPane } from '../tray/tray-pane.tsx';
import { SealedPicture } from '../tray/tray-tile.tsx';
import { useTray } from '../tray/use-tray.ts';
import { ConversionPicture, type LocalPage } from './conversion-picture.tsx';
import { DeskFrame, deskGrid, PrintFrame, paneEdges } from './desk-frame.tsx';
import { InkPane } from './ink-pane.tsx';
import { PageStrip } from './page-strip.tsx';
import { StartPanel } from './start-panel.tsx';
import { TurnedNotice } from './turned-notice.tsx';
import '../convert.css';

interface DeskProps {
  initialFiles: File[];
  /**
   * A tray that was kept over a sign-in and is restored as it was; its conversion resumes once somebody is signed in.
   */
  pending: PendingConversion | null;
  /** Takes LaTeX files out of the added ones. @returns the rest */
  keepLatex: (files: File[]) => File[];
  /** Called when the desk has become empty again. */
  onEmpty: () => void;
}

const loadReadingPanel = () => import('./reading-panel.tsx');
const ReadingPanel = lazy(async () => ({ default: (await retryImport(loadReadingPanel)).ReadingPanel }));
const loadResultPanel = () => import('../result/result-panel.tsx');
const ResultPanel = lazy(async () => ({ default: (await retryImport(loadResultPanel)).ResultPanel }));

/** The desk: a tray of pages on the left, ink in the middle, the result on the right; stacked on a phone. */
export function Desk({ initialFiles, pending, keepLatex, onEmpty }: DeskProps) {
  const tray = useTray();
  const converter = useConverter();
  const { state } = converter;
  const phase = phaseOf(state);
  const [isStarting, setIsStarting] = useState(false);
  const [chosen, setChosen] = useState<number | null>(null);
  const [isConfirming, setIsConfirming] = useState(false);
  /** On a phone a result shows one side at a time. */
  const [side, setSide] = useState<'print' | 'ink'>('print');
  /** Source and page are side by side. */
  const [isSideBySide, setIsSideBySide] = useState(false);
  /** The page of a result that was rotated and has not been read again yet. */
  const [turned, setTurned] = useState<{ of: string | null; number: number; degrees: number } | null>(null);
  /** The ink that the current source line was read from, for the conversion shown. */
  const [ink, setInk] = useState<{ of: string | null; marks: readonly InkMark[] }>({ of: null, marks: [] });

  const { addFiles, restore, clear } = tray;
  const taken = useRef<File[] | null>(null);
  useEffect(() => {
    if (taken.current === initialFiles || initialFiles.length === 0) return;
    taken.current = initialFiles;
    void addFiles(initialFiles);
  }, [addFiles, initialFiles]);
  const restored = useRef<PendingConversion | null>(null);
  useEffect(() => {
    if (pending === null || restored.current === pending) return;
    restored.current = pending;
    waitWithPending(pending);
    void restore(pending);
  }, [restore, pending]);

  const handleFiles = (files: File[]) => {
    const notes = keepLatex(files);
    if (notes.length > 0) void addFiles(notes);
  };
  const hasBegun = tray.tray.items.length > 0 || state.conversionId !== null || state.loading;
  const wasBegun = useRef(false);
  useEffect(() => {
    // it had content before: the last page was removed, or the result dismissed
    if (wasBegun.current && !hasBegun) onEmpty();
    wasBegun.current = hasBegun;
  }, [hasBegun, onEmpty]);

  const handleConvert = useCallback(async () => {
    // loaded while the pages are being uploaded and read
    void loadReadingPanel()
      .then(({ loadPagePreview }) => loadPagePreview())
      .catch(() => {});
    void loadResultPanel();
    setIsStarting(true);
    setChosen(null);
    await converter.convert(tray.tray).finally(() => setIsStarting(false));
  }, [converter.convert, tray.tray]);

  const startAgain = () => {
    setChosen(null);
    setSide('print');
    void converter.dismiss();
    clear();
  };
  // a sample is there again at any time
  const handleNew = () => (isSample(state.conversionId) ? startAgain() : setIsConfirming(true));

  const { items: deskItems, sources: deskSources } = tray.tray;
  const isOpen = deskItems.length > 0 && deskSources.every((source) => source.state !== 'opening');
  useResume(phase === 'desk' && isOpen && !isStarting, handleConvert);

  // scroll position and focus belonged to the last phase
  const heading = useRef<HTMLHeadingElement>(null);
  const lastPhase = useRef(phase);
  // the button that brought the pages here no longer exists, and the focus with it
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (lastPhase.current === phase) return;
    lastPhase.current = phase;
    scrollTo(0, 0);
    heading.current?.focus({ preventScroll: true });
  }, [phase]);

  useEffect(() => {
    if (phase !== 'desk') return;
    const handleKey = (event: KeyboardEvent) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !isStarting) void handleConvert();
    };
    addEventListener('keydown', handleKey);
    return () => removeEventListener('keydown', handleKey);
  }, [phase, handleConvert, isStarting]);

  const findLocal = (number: number): LocalPage | null => {
    const item = tray.tray.items[number - 1];
    const source = tray.tray.sources.find((candidate) => candidate.id === item?.sourceId);
    // if the browser counted other pages than the server, its pictures would be in the wrong places
    const isSameCount = state.pages.length === 0 || state.pages.length === tray.tray.items.length;
    return item && source && isSameCount ? { item, source, handle: tray.getHandle(source.id) } : null;
  };

  const grid = deskGrid(isSideBySide);

  if (phase === 'desk') {
    const { items, sources, selectedId } = tray.tray;
    const index = Math.max(
      0,
      items.findIndex((item) => item.id === selectedId),
    );
    const item = items[index];
    const source = sources.find((candidate) => candidate.id === item?.sourceId);
    const handleGo = (number: number) => {
      const target = items[number - 1];
      if (target) tray.dispatch({ type: 'itemSelected', itemId: target.id });
    };
    const failure = state.errorObj && (
      <Notice
        tone="error"
        title={state.error || 'Unexpected error occurred.'}
        onDismiss={() => converter.dispatch({ type: 'errorDismissed' })}
      >
        {state.warnings.length > 0 &&
          state.warnings.map((warning) => <p key={warning.code + warning.message}>{warning.message}</p>)}
      </Notice>
    );
    return (
      <DropZone onFiles={handleFiles}>
        <h1 ref={heading} tabIndex={-1} className="sr-only">
          Convert
        </h1>
        {/* in a stack, the panes would put it below the pages */}
        {failure && <div className="p-3 lg:hidden">{failure}</div>}
        <div className={grid}>
          <TrayPane tray={tray} onFiles={handleFiles} className={paneEdges} />
          <InkPane
            number={index + 1}
            count={items.length}
            onGo={handleGo}
            onTurn={
              source?.state === 'open'
                ? (by) => item && tray.dispatch({ type: 'itemTurned', itemId: item.id, by })
                : undefined
            }
            className={cn(paneEdges, 'max-lg:border-y')}
          >
            {(box) =>
              item && source?.state === 'sealed' ? (
                <SealedPicture source={source} isLarge />
              ) : item && source ? (
                <PagePicture
                  key={item.id}
                  handle={tray.getHandle(source.id)}
                  pageIndex={item.pageIndex}
                  rotation={item.rotation}
                  label={`Page ${index + 1}`}
                  className="sheet"
                  {...box}
                />
              ) : null
            }
          </InkPane>
          <Pane
            label="LaTeX and PDF"
            header={
              <>
                <PaneTitle>LaTeX and PDF</PaneTitle>
                <Button variant="quiet" size="small" className="-mr-3 ml-auto" onClick={clear}>
                  Remove all
                </Button>
              </>
            }
            bodyClassName="lg:overflow-y-auto"
          >
            {failure && <div className="px-4 pt-4 max-lg:hidden">{failure}</div>}
            <StartPanel tray={tray} isStarting={isStarting} onConvert={handleConvert} />
          </Pane>
        </div>
      </DropZone>
    );
  }

  if (
    state.pages.length === 0 &&
    !state.uploading &&
    !state.errorObj &&
    phase === 'converting' &&
    !hasTrayOf(tray)
  )
    return <DeskFrame />;

  const pages =
    state.pages.length > 0
      ? state.pages
      : tray.tray.items.map((_, index) => ({
          number: index + 1,
          state: 'waiting' as const,
          warnings: [],
          doubtful: [],
        }));
  const beingRead = pages.find((page) => page.state === 'reading')?.number;
  const lastRead = pages.findLast((page) => page.state === 'read')?.number;
  const followed = phase === 'result' ? 1 : (beingRead ?? lastRead ?? 1);
  const selected = Math.min(chosen ?? followed, Math.max(1, pages.length));
  const stateOf = (number: number) => pages[number - 1]?.state ?? 'waiting';
  const picture = (number: number, box: { maxWidth: number; maxHeight: number }, label: string) => (
    <ConversionPicture
      conversionId={state.conversionId}
      number={number}
      state={stateOf(number)}
      local={findLocal(number)}
      label={label}
      {...box}
    />
  );
  const handleSelect = (number: number) => setChosen(number);
  const handleShowPage = (number: number) => {
    setChosen(number);
    setSide('ink');
  };
  const isResult = phase === 'result';
  const canTurn =
    isResult &&
    state.conversionId !== null &&
    converter.readableAgain() === state.conversionId &&
    state.conversionState === 'delivered' &&
    pages.every((page) => page.state === 'read');
  const turn = turned?.of === state.conversionId && turned.number === selected ? turned.degrees : 0;
  const handleTurn = (by: 90 | -90) =>
    setTurned({ of: state.conversionId, number: selected, degrees: (turn + by + 360) % 360 });

  return (
    <DropZone onFiles={handleFiles} isClosed>
      <h1 ref={heading} tabIndex={-1} className="sr-only">
        {isResult ? 'Your document' : 'Converting'}
      </h1>
      {isResult && (
        <nav className="flex gap-1 border-b border-hairline p-2 lg:hidden" aria-label="Shown side">
          {(['print', 'ink'] as const).map((name) => (
            <Button
              key={name}
              variant={side === name ? 'outline' : 'quiet'}
              aria-pressed={side === name}
              className="flex-1"
              onClick={() => setSide(name)}
            >
              {name === 'print' ? 'LaTeX and PDF' : 'Ink'}
            </Button>
          ))}
        </nav>
      )}
      <div className={grid}>
        <PageStrip
          pages={pages}
          selected={selected}
          onSelect={handleSelect}
          onRetry={converter.retry}
          canRetry={state.conversionState !== 'expired' && state.conversionState !== 'cancelled'}
          renderPicture={(number) => picture(number, { maxWidth: 96, maxHeight: 140 }, '')}
          className={cn(paneEdges, isResult && side === 'print' && 'max-lg:hidden')}
          actions={
            isResult && (
              <Button variant="quiet" size="small" icon={<Plus className="size-4" />} onClick={handleNew}>
                New
              </Button>
            )
          }
        />
        <InkPane
          number={selected}
          count={pages.length}
          onGo={handleSelect}
          onTurn={canTurn ? handleTurn : undefined}
          footer={
            canTurn && (turn === 90 || turn === 180 || turn === 270) ? (
              <TurnedNotice
                number={selected}
                onRead={() => {
                  setTurned(null);
                  void converter.readAgain(selected, turn);
                }}
                onUndo={() => setTurned(null)}
              />
            ) : undefined
          }
          className={cn(
            paneEdges,
            'max-lg:border-t',
            isResult ? cn('max-lg:h-[72dvh]', side === 'print' && 'max-lg:hidden') : 'max-lg:hidden',
            isSideBySide && 'lg:max-2xl:hidden',
          )}
        >
          {(box) => (
            <div
              className="sheet relative"
              style={turn ? { rotate: `${turn}deg`, scale: turn === 180 ? undefined : '0.7' } : undefined}
            >
              {picture(selected, box, `Page ${selected}`)}
              {isResult && ink.of === state.conversionId && (
                <InkMarks marks={ink.marks.filter(({ page }) => page === selected)} kind="lit" />
              )}
              {stateOf(selected) === 'reading' && <span className="reading-line" aria-hidden="true" />}
            </div>
          )}
        </InkPane>
        {isResult ? (
          <Suspense fallback={<PrintFrame />}>
            <ResultPanel
              converter={converter}
              onShowPage={handleShowPage}
              onFollowPage={handleSelect}
              onInk={(marks) => setInk({ of: state.conversionId, marks })}
              onNew={handleNew}
              onSideBySide={setIsSideBySide}
              className={cn(
                'max-lg:h-[calc(100dvh-var(--header)-3.6rem)] max-lg:min-h-112',
                side === 'ink' && 'max-lg:hidden',
              )}
            />
          </Suspense>
        ) : (
          <Suspense fallback={<PrintFrame />}>
            <ReadingPanel
              state={state}
              pages={pages}
              selected={selected}
              onSelect={handleSelect}
              onRetry={converter.retry}
              onCancel={converter.cancel}
              onBack={converter.goBack}
              hasTray={hasTrayOf(tray)}
              className="max-lg:min-h-[70dvh] max-lg:border-t max-lg:border-hairline"
            />
          </Suspense>
        )}
      </div>
      <ConfirmDialog
        isOpen={isConfirming}
        title="Start a new conversion?"
        text="This result is deleted here and on the server. To keep it, save it to your documents or download it first."
        confirmLabel="Delete this result"
        cancelLabel="Keep it"
        onClose={() => setIsConfirming(false)}
        onConfirm={startAgain}
      />
    </DropZone>
  );
}

function hasTrayOf(tray: { tray: { items: unknown[] } }): boolean {
  return tray.tray.items.length > 0;
}
