import { Columns2, LocateFixed } from 'lucide-react';
import { Tabs } from 'radix-ui';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import type { ShareBox } from '#latex/assemble/page-body.ts';
import type { LogMessage } from '#shared/api/errors.ts';
import type { DoubtfulSpot } from '#web/lib/doubtful-spots.ts';
import { retryImport } from '#web/lib/retry-import.ts';
import { cn } from '#web/ui/cn.ts';
import { Button, IconButton } from '#web/ui/controls/button.tsx';
import { Loading, Spinner } from '#web/ui/controls/loading.tsx';
import { useStopKey } from '#web/ui/controls/stop-button.tsx';
import { SpotBar } from '#web/ui/doubtful-spots/spot-bar.tsx';
import { SpotInk } from '#web/ui/doubtful-spots/spot-ink.tsx';
import type { SpotText } from '#web/ui/doubtful-spots/spot-text.ts';
import { useSpots } from '#web/ui/doubtful-spots/use-spots.ts';
import type { InkMark } from '#web/ui/ink-marks.tsx';
import { IncompleteBar } from '#web/ui/pdf-viewer/incomplete-bar.tsx';
import type { PdfControls } from '#web/ui/pdf-viewer/pdf-stage.ts';
import type { CursorPlace } from '#web/ui/source-editor/places.ts';
import { findInkInResult, listInkInResult } from '../describe-source.ts';
import { isBusy } from '../run/converter-state.ts';
import { findPageImage } from '../run/page-images.ts';
import type { Converter } from '../run/use-converter.ts';
import { SaveControl } from '../save/save-control.tsx';
import { ChangeBox } from './change-box.tsx';
import { ChecksPanel } from './checks-panel.tsx';
import { CopyButton } from './copy-button.tsx';
import { DownloadMenu } from './download-menu.tsx';
import type { LatexEditorHandle } from './latex-editor.tsx';
import { LiveLine } from './live-line.tsx';
import { ResultNotices } from './result-notices.tsx';
import { useLivePreview } from './use-live-preview.ts';
import { useSideBySide } from './use-side-by-side.ts';
import { WatermarkPopover } from './watermark-popover.tsx';

const PdfViewer = lazy(async () => ({
  default: (await retryImport(() => import('#web/ui/pdf-viewer/pdf-viewer.tsx'))).PdfViewer,
}));
const LatexEditor = lazy(async () => ({
  default: (await retryImport(() => import('./latex-editor.tsx'))).LatexEditor,
}));

interface ResultPanelProps {
  converter: Converter;
  /** Switches to a page's ink. */
  onShowPage: (number: number) => void;
  /** Shows the ink of the page being looked at, without leaving the result. */
  onFollowPage: (number: number) => void;
  /** Highlights the ink that the current line was read from. */
  onInk: (marks: readonly InkMark[]) => void;
  onNew: () => void;
  /** Source and page are side by side: the panel needs more room. */
  onSideBySide: (isSideBySide: boolean) => void;
  className?: string;
}

const noMessages: LogMessage[] = [];
const noSpots: DoubtfulSpot[] = [];
/** Both tabs keep their size when hidden: pdf.js and CodeMirror measure themselves. */
const contentClass = 'absolute inset-0 outline-none data-[state=inactive]:invisible';
const besideClass = {
  latex: 'absolute inset-y-0 left-0 right-1/2 outline-none',
  pdf: 'absolute inset-y-0 left-1/2 right-0 border-l border-hairline outline-none',
};
const tabClass =
  'relative h-12 px-3 -outline-offset-2 text-sm text-graphite transition-colors duration-150 hover:text-ink data-[state=active]:font-medium data-[state=active]:text-ink data-[state=active]:after:absolute data-[state=active]:after:inset-x-2 data-[state=active]:after:bottom-0 data-[state=active]:after:h-0.5 data-[state=active]:after:rounded-full data-[state=active]:after:bg-ink';

/** The result: the PDF, its LaTeX, and everything that can be done with them. */
export function ResultPanel({
  converter,
  onShowPage,
  onFollowPage,
  onInk,
  onNew,
  onSideBySide,
  className,
}: ResultPanelProps) {
  const { state, dispatch } = converter;
  const [tab, setTab] = useState('pdf');
  const [wasEditorShown, setWasEditorShown] = useState(false);
  const editor = useRef<LatexEditorHandle>(null);
  /** What the editor will do once it is mounted. */
  const pending = useRef<((handle: LatexEditorHandle) => void) | null>(null);
  const [spotText, setSpotText] = useState<SpotText | null>(null);
  const viewer = useRef<PdfControls>(null);
  const [wasPicked, setWasPicked] = useState(false);
  const { live, session, handleEdit } = useLivePreview(converter, wasEditorShown || wasPicked);
  const isStale = state.pdfUrl !== null && state.latex !== state.provenLatex;
  // only shown: downloads and saves take the last good PDF
  const isProven = state.pdfUrl !== null && state.latex === state.provenLatex;
  const incomplete = isProven ? null : live.incomplete;
  const shownPdf = incomplete?.bytes ?? state.pdfUrl;
  // a PDF that is about to be shown by itself need not be requested
  const isFollowing = live.status === 'working' || live.status === 'shown';
  const needsCompile = state.pdfUrl === null || (isStale && !isFollowing);
  const { hasRoom, isSideBySide, decide, toggle } = useSideBySide(tab === 'latex', state.spots.length > 0);
  useEffect(() => onSideBySide(isSideBySide), [isSideBySide, onSideBySide]);
  /** The text whose requested compile was stopped. */
  const [stopped, setStopped] = useState<string | null>(null);
  const wasStopped = stopped !== null && stopped === state.latex && !state.isCompiling;
  const handleStop = () => {
    session?.stop();
    if (!state.isCompiling) return;
    converter.stopCompile();
    setStopped(state.latex);
  };
  const handleCompile = () => {
    setStopped(null);
    void converter.compile();
  };
  useStopKey(handleStop);
  useEffect(() => () => onSideBySide(false), [onSideBySide]);
  const report = useMemo(
    () =>
      live.report
        ? {
            messages: live.report.messages,
            text: live.report.latex,
            fix: live.fix?.kind === 'fix' ? live.fix : null,
          }
        : { messages: state.errorObj?.messages ?? noMessages, text: null },
    [live.report, live.fix, state.errorObj],
  );

  const handleTab = (value: string) => {
    if (value === tab) return;
    setTab(value);
    if (value !== 'latex') return;
    setWasEditorShown(true);
    decide();
  };
  const inEditor = (act: (handle: LatexEditorHandle) => void) => {
    handleTab('latex');
    if (spotText) requestAnimationFrame(() => editor.current && act(editor.current));
    else pending.current = act;
  };
  const handleSpotText = (text: SpotText | null) => {
    setSpotText(text);
    // its handle exists before its text
    if (!text || !editor.current) return;
    pending.current?.(editor.current);
    pending.current = null;
  };

  const handleLocate = async ({ line, column }: CursorPlace, isRequested: boolean) => {
    if (!isSideBySide && !isRequested) return;
    const place = await session?.locate({ line, column, nearPage: viewer.current?.getPage() });
    if (!place) return;
    if (!isSideBySide) handleTab('pdf');
    viewer.current?.point(place);
  };
  /** A point that was requested before the session had the document. */
  const pendingPick = useRef<{ page: number; x: number; y: number } | null>(null);
  const handlePick = async (point: { page: number; x: number; y: number }) => {
    if (live.report === null) {
      pendingPick.current = point;
      return setWasPicked(true);
    }
    const found = await session?.findLine(point);
    if (found) inEditor((handle) => handle.jumpToLine(found.line));
  };
  useEffect(() => {
    const point = pendingPick.current;
    pendingPick.current = live.report === null ? point : null;
    if (point && live.report !== null) void handlePick(point);
  });

  const handleRest = (from: number, to: number) => {
    const ink = listInkInResult({ ...state, latex: state.latex ?? '' }, from, to);
    onInk(ink);
    if (ink[0]) onFollowPage(ink[0].page);
  };

  /** The ink of the selected spot, found when it was selected, so that typing need not find it again. */
  const [spotInk, setSpotInk] = useState<{ id: number; box: ShareBox } | null>(null);
  const spots = useSpots({
    spots: state.spots,
    checked: state.checked,
    text: spotText,
    onShow: (spot) => {
      const { start, end, page } = spot;
      onFollowPage(page);
      const box = findInkInResult({ ...state, latex: state.latex ?? '' }, spot);
      setSpotInk(box && { id: spot.id, box });
      inEditor((handle) => handle.select(start, end));
    },
    onConfirm: (id) => dispatch({ type: 'spotConfirmed', id }),
    onRestore: (spot) => dispatch({ type: 'spotRestored', spot }),
  });

  return (
    <Tabs.Root value={tab} onValueChange={handleTab} asChild>
      <section aria-label="LaTeX and PDF" className={cn('flex min-h-0 min-w-0 flex-col', className)}>
        <div className="@container/bar shrink-0 border-b border-hairline">
          <div
            className="group/bar flex h-[calc(3rem-1px)] items-center gap-1 pr-2 pl-1"
            data-tab={tab}
            data-crowded={needsCompile || state.unmarkedPdfUrl !== null || undefined}
          >
            <Tabs.List aria-label="Result" className="flex">
              <Tabs.Trigger value="pdf" className={tabClass}>
                PDF
              </Tabs.Trigger>
              <Tabs.Trigger value="latex" className={tabClass}>
                LaTeX
              </Tabs.Trigger>
            </Tabs.List>
            <div className="ml-auto flex items-center gap-1">
              {tab === 'latex' && (
                <>
                  {hasRoom && (
                    <IconButton
                      label="Page next to the source"
                      aria-pressed={isSideBySide}
                      onClick={toggle}
                      className="aria-pressed:bg-wash aria-pressed:text-ink"
                    >
                      <Columns2 />
                    </IconButton>
                  )}
                  <IconButton
                    label="Show this line in the PDF (Ctrl+Shift+Enter)"
                    disabled={live.report === null || state.pdfUrl === null}
                    // the shortcut and the palette are available too
                    className="max-sm:hidden"
                    onClick={() => editor.current && handleLocate(editor.current.getCursor(), true)}
                  >
                    <LocateFixed />
                  </IconButton>
                  <CopyButton text={state.latex ?? ''} />
                </>
              )}
              {tab === 'pdf' && (
                <WatermarkPopover
                  hasWatermark={state.unmarkedPdfUrl !== null}
                  isBusy={state.isWatermarking || state.isUndoingWatermark}
                  isDisabled={state.pdfUrl === null || isBusy(state)}
                  onWatermark={converter.watermark}
                  onUndo={converter.undoWatermark}
                />
              )}
              <DownloadMenu
                state={state}
                onNew={onNew}
                onFail={(error) => converter.dispatch({ type: 'failed', error })}
              />
              <SaveControl
                converter={state}
                isDisabled={state.isPdfAssistantLoading}
                isQuiet={needsCompile}
              />
              {(tab === 'latex' || needsCompile) && (
                <Button
                  variant={needsCompile ? 'primary' : 'outline'}
                  size="small"
                  disabled={state.isPdfAssistantLoading}
                  icon={state.isCompiling && <Spinner className="size-4 text-current" />}
                  title={state.isCompiling ? 'Stop compiling (Ctrl+.)' : 'Ctrl+Enter in the editor'}
                  // it compiles while typing; the palette has the command otherwise
                  className={cn(!needsCompile && !state.isCompiling && 'max-sm:hidden')}
                  onClick={state.isCompiling ? handleStop : handleCompile}
                >
                  {state.isCompiling ? 'Stop' : 'Compile'}
                </Button>
              )}
            </div>
          </div>
        </div>
        <ResultNotices
          converter={converter}
          isStale={isStale && incomplete === null && tab === 'pdf' && live.status !== 'working'}
          wasStopped={wasStopped && (tab === 'pdf' || live.status !== 'stopped')}
          onJump={(line) => inEditor((handle) => handle.jumpToLine(line))}
          onNew={onNew}
        />
        {tab === 'latex' && (state.spots.length > 0 || spots.undo) && (
          <SpotBar
            check={spots}
            onLeave={() => spotText?.focus()}
            ink={
              spots.current &&
              spotInk?.id === spots.current.id &&
              state.conversionId !== null && (
                <SpotInk
                  page={spots.current.page}
                  box={spotInk.box}
                  fetchPicture={(page) => findPageImage(state.conversionId!, page)}
                />
              )
            }
          />
        )}
        <div className="relative min-h-0 flex-1">
          <Tabs.Content
            value="pdf"
            forceMount
            // its content takes the focus itself
            tabIndex={-1}
            className={isSideBySide ? besideClass.pdf : contentClass}
          >
            {shownPdf !== null ? (
              <Suspense fallback={<Loading />}>
                <PdfViewer
                  ref={viewer}
                  pdf={shownPdf}
                  pages={live.pages}
                  onPlace={(point, kind) => {
                    if (kind === 'double-click') void handlePick(point);
                  }}
                />
                {incomplete && (
                  <IncompleteBar
                    pageCount={incomplete.pageCount}
                    isCutShort={incomplete.isCutShort}
                    line={report.messages.find(({ level }) => level === 'error')?.line ?? null}
                    onJump={(line) => inEditor((handle) => handle.jumpToLine(line))}
                  />
                )}
              </Suspense>
            ) : state.isPdfAssistantLoading || state.isCompiling ? (
              <Loading label={state.isPdfAssistantLoading ? 'Changing the document' : 'Compiling'} />
            ) : (
              <p className="grid h-full place-items-center p-8 text-center text-graphite">
                There is no PDF of this LaTeX yet. Compile it to see it.
              </p>
            )}
          </Tabs.Content>
          <Tabs.Content
            value="latex"
            forceMount
            tabIndex={-1}
            className={cn(isSideBySide ? besideClass.latex : contentClass, 'flex flex-col')}
          >
            {wasEditorShown && (
              <>
                <div className="relative min-h-0 flex-1">
                  <Suspense fallback={<Loading />}>
                    <LatexEditor
                      ref={editor}
                      value={state.latex ?? ''}
                      isReadOnly={state.isPdfAssistantLoading}
                      report={report}
                      spots={state.spots}
                      figures={state.figures}
                      onChange={(latex, moved, changes) => {
                        handleEdit(latex, changes);
                        dispatch({ type: 'latexEdited', latex, spots: moved });
                      }}
                      onCompile={handleCompile}
                      onStop={handleStop}
                      onLocate={handleLocate}
                      check={spots}
                      onSpotText={handleSpotText}
                      onRest={handleRest}
                    />
                  </Suspense>
                </div>
                <LiveLine
                  // a requested compile has its own Stop button
                  session={state.isCompiling ? null : session}
                  live={live}
                  onJump={(line) => inEditor((handle) => handle.jumpToLine(line))}
                  onFix={(steps) => editor.current?.applyFixes(steps)}
                />
              </>
            )}
          </Tabs.Content>
        </div>
        {/* while a spot is being checked, the room is its own */}
        {(spots.current === null || tab !== 'latex') && (
          <>
            <ChecksPanel
              warnings={state.warnings}
              latex={state.latex ?? ''}
              // above the source, or below it on a phone, they have a row of their own
              spots={tab === 'latex' ? noSpots : state.spots}
              onShowPage={onShowPage}
              onGoToSpot={spots.goTo}
            />
            <ChangeBox
              feedback={state.feedback}
              note={state.changeNote}
              isBusy={state.isPdfAssistantLoading}
              isDisabled={state.isCompiling}
              onType={(feedback) => dispatch({ type: 'feedbackTyped', feedback })}
              onSend={converter.change}
              onDismissNote={() => dispatch({ type: 'changeNoteDismissed' })}
            />
          </>
        )}
      </section>
    </Tabs.Root>
  );
}
