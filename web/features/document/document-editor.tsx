/**
 * One opened document: the source and its page side by side, and everything around them.
 *
 *   editor ──change──► saver (unsent/) ──► server          what is saved
 *          └─change──► compile session ──► page            what is shown
 *          └─change──► handle listeners ──► panels           everything else
 */
import type { EditorView } from '@codemirror/view';
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { TextChange } from '#shared/api/compile-session.ts';
import type { SavedDocument } from '#shared/api/library.ts';
import { retryImport } from '#web/lib/retry-import.ts';
import { stopKeys, useStopKey } from '#web/ui/controls/stop-button.tsx';
import type { PdfControls } from '#web/ui/pdf-viewer/pdf-stage.ts';
import { applyFixes, showReport } from '#web/ui/source-editor/compile-report.ts';
import { SplitPanes } from '#web/ui/split-panes.tsx';
import { EditorNotices, News } from './editor-notices.tsx';
import { isTextFile, showFigure } from './figures/figure-names.ts';
import { listCitations } from './figures/list-citations.ts';
import { useFigures } from './figures/use-figures.ts';
import { followReferences, listFileCommands } from './files/follow-references.ts';
import { SourceWithFiles } from './files/source-with-files.tsx';
import { useOpenFiles } from './files/use-open-files.ts';
import { useProject } from './files/use-project.ts';
import { placeDoubts } from './linked/source-places.ts';
import { SpotCheck } from './linked/spot-check.tsx';
import { useDoubts } from './linked/use-doubts.ts';
import { useLinks } from './linked/use-links.ts';
import { PagePane } from './page/page-pane.tsx';
import { useLivePage } from './page/use-live-page.ts';
import { useSyncTex } from './page/use-synctex.ts';
import { DrawerButtons, DrawerItems, type DrawerName, OpenDrawer } from './panels/drawers.tsx';
import { ExportDialog, FiguresPanel, InkPane, OnDemand, ShareDialog } from './panels/on-demand.tsx';
import { useSaveKey } from './saving/use-save-key.ts';
import { MessagesPanel } from './source/messages-panel.tsx';
import { SourcePane } from './source/source-pane.tsx';
import { LayoutSwitch, PaneTabs } from './top-bar/layout-switch.tsx';
import { MoreMenu } from './top-bar/more-menu.tsx';
import { TopBar } from './top-bar/top-bar.tsx';
import { unsaved, useLeaving } from './top-bar/use-leaving.ts';
import { readEditor, tellSaver } from './unsent/editor-text.ts';
import { MergeHost } from './unsent/merge/merge-host.tsx';
import { openSaver } from './unsent/open-saver.ts';
import type { Saver } from './unsent/saver.ts';
import { useSaverState } from './unsent/use-saver-state.ts';
import { useDocumentFacts } from './use-document-facts.ts';
import { insertChanges, useEditorHandle } from './use-editor-handle.ts';
import { useLayout } from './use-layout.ts';
import { useStartLine } from './use-start-line.ts';

interface DocumentEditorProps {
  userId: string;
  document: SavedDocument;
  /** The line to start at, 1-based; null for the beginning. */
  line: number | null;
  /** The file that the line is in; null for the document's own text. */
  file: string | null;
  /** The site's controls on every page: account, light or dark. */
  site: ReactNode;
}

const withInk = ['ink', 'source', 'page'] as const;
const withoutInk = ['source', 'page'] as const;
const noMessages: [] = [];

export function DocumentEditor({ userId, document, line, file, site }: DocumentEditorProps) {
  const facts = useDocumentFacts(document);
  const figures = useFigures(document);
  const files = useOpenFiles();
  const [isForNewFile, setIsForNewFile] = useState(false);
  const layout = useLayout(document.pages.length > 0 ? withInk : withoutInk);
  const [view, setView] = useState<EditorView | null>(null);
  const [saver, setSaver] = useState<Saver | null>(null);
  const ownSaving = useSaverState(saver);
  const saving = files.saving ?? ownSaving;
  /** Null until it was opened: it is loaded then. */
  const [isSharing, setIsSharing] = useState<boolean | null>(null);
  const [isExporting, setIsExporting] = useState<boolean | null>(null);
  const [drawer, setDrawer] = useState<DrawerName | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [news, setNews] = useState<string | null>(null);
  const viewer = useRef<PdfControls>(null);

  const citations = useMemo(() => listCitations(figures.files ?? []), [figures.files]);
  const figureNames = useMemo(
    () => (figures.files ?? document.figures).map(({ name }) => name),
    [figures.files, document.figures],
  );
  const page = useLivePage({
    documentId: document.id,
    isTrashed: document.trashed_at !== null,
    hasPdf: document.pdf_version !== null,
    engine: facts.engine,
    figures: figures.files,
    getText: () => handle.getText(),
  });
  const { handle, tellText, readSourceMap } = useEditorHandle({
    documentId: document.id,
    opened: document,
    view,
    saver,
    figures: figures.files ?? document.figures,
    messages: page.report?.messages ?? noMessages,
    onShowSource: () => layout.show('source'),
  });
  const synctex = useSyncTex({
    view: files.view ?? view,
    file: files.current,
    showFile: files.show,
    viewer,
    page,
    layout,
  });
  const project = useProject({ figures, files, view, onShowSource: () => layout.show('source') });
  const links = useLinks({ opened: document, view, viewer, page, layout });
  const doubts = useDoubts({ opened: document, handle, view, onFollow: links.follow });
  const tellMerged = useCallback(() => setNews('Changes made elsewhere have been merged in.'), []);
  const { setView: tellOfView } = files;
  const showView = useCallback(
    (made: EditorView | null) => {
      setView(made);
      tellOfView(null, made);
    },
    [tellOfView],
  );
  // the editor's text is the document from here on
  const opened = useRef({ userId, document, readSourceMap });
  const text = useMemo(() => view && readEditor(view), [view]);
  useEffect(() => {
    if (!text) return;
    const made = openSaver({
      ...opened.current,
      text,
      onMerged: tellMerged,
    });
    setSaver(made);
    return () => {
      setSaver(null);
      void made.close();
    };
  }, [text, tellMerged]);
  const current = useRef(saver);
  current.current = saver;
  const names = useRef(figureNames);
  names.current = figureNames;
  const extensions = useMemo(
    () => [
      tellSaver(() => current.current),
      links.extension,
      doubts.extension,
      project.extensionFor(null),
      followReferences({
        file: null,
        listNames: () => names.current,
        onOpen: (name) => void files.show(name),
      }),
    ],
    [links.extension, doubts.extension, project, files.show],
  );

  const { saveAll: saveFiles } = files;
  const saveAll = useCallback(
    async () => (await Promise.all([handle.save(), saveFiles()])).every(Boolean),
    [handle, saveFiles],
  );
  const { report, fix } = page;
  useEffect(() => {
    if (!view || !report) return;
    const messages = report.messages.filter(({ file }) => !names.current.includes(file ?? ''));
    showReport(view, { messages, text: report.latex, fix });
  }, [view, report, fix]);
  useStartLine({ view, line, file, hasFiles: figures.files !== null, showFile: files.show });
  useEffect(() => {
    if (news === null) return;
    const timer = setTimeout(() => setNews(null), 6_000);
    return () => clearTimeout(timer);
  }, [news]);

  useEffect(() => {
    window.document.title = `${facts.title} · Inkproof`;
  }, [facts.title]);
  useSaveKey(saveAll);

  const handleChange = (latex: string, changes: TextChange[]) => {
    page.tellText(latex, changes);
    tellText();
  };
  const showInText = (name: string, at?: number) => {
    layout.show('source');
    const shown = files.view ?? view;
    if (!shown) return;
    const place = at ?? shown.state.selection.main.head;
    const changes = showFigure(shown.state.doc.toString(), place, name);
    insertChanges(shown, changes, `Inserted into the text: ${name}`);
  };
  const handlePictures = async (added: File[], at?: number | 'nowhere') => {
    for (const one of added) {
      const name = await figures.add(one);
      if (name === null) setDrawer('figures');
      else if (at !== 'nowhere' && !isTextFile(name)) showInText(name, at);
    }
  };
  const leaving = useLeaving({
    documentId: document.id,
    folderId: facts.folderId,
    saveAll,
    onProblem: setProblem,
  });
  const inkDoubts = useMemo(
    () => (view ? placeDoubts(view.state, doubts.check.spots) : []),
    [view, doubts.check.spots],
  );

  const toggleDrawer = (name: DrawerName) => setDrawer(drawer === name ? null : name);
  const { session } = page;
  useStopKey(session?.stop ?? null);
  const commands = useMemo(
    () => [
      { title: 'Stop compiling', keys: stopKeys, run: () => session?.stop() },
      ...doubts.commands,
      { title: 'Assistant', run: () => setDrawer('assistant') },
      { title: 'History', run: () => setDrawer('history') },
      { title: 'Figures', run: () => setDrawer('figures') },
      { title: 'New file', run: () => setIsForNewFile(true) },
      ...listFileCommands(files, figureNames),
      { title: 'Export', run: () => setIsExporting(true) },
      { title: 'Share', run: () => setIsSharing(true) },
    ],
    [session, doubts.commands, files, figureNames],
  );
  const source = {
    figureNames,
    figures: figures.files ?? [],
    citations,
    commands,
    onLocate: synctex.locate,
    onSave: () => void saveAll(),
    onPictures: (pictures: File[], at: number) => void handlePictures(pictures, at),
  };

  return (
    <div className="flex h-dvh min-h-96 flex-col overflow-hidden bg-page">
      <TopBar
        facts={facts}
        saving={saving}
        onShare={() => setIsSharing(true)}
        layout={<LayoutSwitch panes={layout.panes} isOpen={layout.isOpen} onToggle={layout.toggle} />}
        drawers={<DrawerButtons open={drawer} onToggle={toggleDrawer} />}
        onExport={() => setIsExporting(true)}
        more={
          <MoreMenu
            facts={facts}
            onShare={() => setIsSharing(true)}
            onExport={() => setIsExporting(true)}
            onDuplicate={leaving.duplicate}
            onTrash={leaving.trash}
          >
            <DrawerItems onToggle={toggleDrawer} />
          </MoreMenu>
        }
        site={site}
      />
      <EditorNotices
        facts={facts}
        saving={saving}
        figuresProblem={figures.files === null ? figures.problem : null}
        onFetchFigures={figures.fetchAgain}
        problem={problem}
        onDismiss={() => setProblem(null)}
      />
      <MergeHost saver={saver} text={text} />
      <PaneTabs panes={layout.panes} active={layout.active} onChoose={layout.show} />
      <main id="content" tabIndex={-1} className="relative flex min-h-0 flex-1 outline-none">
        <SplitPanes
          storageKey="inkproof.panes"
          active={layout.active}
          panes={[
            ...(document.pages.length > 0
              ? [
                  {
                    id: 'ink',
                    label: 'Ink',
                    isClosed: !layout.isOpen('ink'),
                    content: (
                      <InkPane
                        documentId={document.id}
                        pages={document.pages}
                        lit={links.ink}
                        doubtful={inkDoubts}
                        onPick={links.pickInk}
                      />
                    ),
                  },
                ]
              : []),
            {
              id: 'source',
              label: 'Source',
              isClosed: !layout.isOpen('source'),
              content: (
                <div className="absolute inset-0 flex flex-col">
                  <SpotCheck document={document} view={view} doubts={doubts} />
                  <SourceWithFiles
                    userId={userId}
                    document={document}
                    figures={figures}
                    files={files}
                    project={project}
                    isForNew={isForNewFile}
                    messages={report?.messages ?? noMessages}
                    onShowFigures={() => setDrawer('figures')}
                    onUpload={(added) => void handlePictures(added, 'nowhere')}
                    onMerged={tellMerged}
                    source={source}
                  >
                    <SourcePane
                      {...source}
                      latex={document.latex}
                      extensions={extensions}
                      onView={showView}
                      onChange={handleChange}
                    />
                  </SourceWithFiles>
                  <MessagesPanel
                    session={page.session}
                    files={figureNames}
                    onJump={project.jumpTo}
                    onAskAssistant={() => setDrawer('assistant')}
                    onFix={(steps) => {
                      if (!view) return;
                      applyFixes(view, steps);
                      view.focus();
                    }}
                  />
                </div>
              ),
            },
            {
              id: 'page',
              label: 'Page',
              isClosed: !layout.isOpen('page'),
              content: (
                <div className="absolute inset-0">
                  <PagePane
                    ref={viewer}
                    page={page}
                    files={figureNames}
                    onJump={project.jumpTo}
                    marks={links.marks}
                    onPlace={(point, kind) => {
                      if (kind === 'click') void links.pickPage(point);
                      else synctex.pick(point, kind);
                    }}
                  />
                </div>
              ),
            },
          ]}
        />
        <OpenDrawer
          name={drawer}
          handle={handle}
          version={saving?.version ?? document.version}
          figures={
            <FiguresPanel
              handle={handle}
              figures={figures}
              onPictures={(files) => void handlePictures(files)}
              onShow={showInText}
            />
          }
          onClose={() => setDrawer(null)}
        />
      </main>
      <OnDemand isOpen={isExporting} onClose={() => setIsExporting(false)}>
        <ExportDialog
          title={facts.title}
          isOpen={isExporting === true}
          doubtCount={doubts.check.spots.length}
          onClose={() => setIsExporting(false)}
          onExport={async (form, signal) => {
            // the export is of the text on the server
            if (!(await saveAll())) return { ok: false, text: unsaved };
            const { saveExport } = await retryImport(() => import('#web/lib/api/save-export.ts'));
            return saveExport(document.id, form, signal);
          }}
        />
      </OnDemand>
      <OnDemand isOpen={isSharing} onClose={() => setIsSharing(false)}>
        <ShareDialog
          documentId={document.id}
          isOpen={isSharing === true}
          onClose={() => setIsSharing(false)}
        />
      </OnDemand>
      <News text={news ?? synctex.news} />
    </div>
  );
}
