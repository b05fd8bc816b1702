import { redo, redoDepth, undo, undoDepth } from '@codemirror/commands';
import { Compartment, StateEffect } from '@codemirror/state';
import { EditorView, type ViewUpdate } from '@codemirror/view';
import { Command as CommandIcon, ListTree, Omega, Redo2, Search, Undo2 } from 'lucide-react';
import { Popover } from 'radix-ui';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { retryImport } from '#web/lib/retry-import.ts';
import { IconButton } from '#web/ui/controls/button.tsx';
import { Loading } from '#web/ui/controls/loading.tsx';
import { type EditorCommand, nameKeys } from '../editor-commands.ts';
import { useSettings } from '../editor-settings.ts';
import { setKeyMode } from '../extensions/keys.ts';
import { openFind } from '../extensions/search-panel.ts';
import { setSpelling } from '../extensions/spelling.ts';
import { setTheme } from '../extensions/themes.ts';
import { getStructure, type Structure } from '../lines/structure.ts';
import { spellingLanguages } from '../spelling/languages.ts';
import { countWords, type WordCount } from '../word-count.ts';
import { CommandPalette } from './command-palette.tsx';
import { CountPanel } from './count-panel.tsx';
import { OutlinePanel } from './outline-panel.tsx';

const SymbolPalette = lazy(async () => ({
  default: (await retryImport(() => import('./symbol-palette.tsx'))).SymbolPalette,
}));

type PanelName = 'outline' | 'symbols' | 'count' | 'commands';

interface EditorBarProps {
  view: EditorView;
  isReadOnly: boolean;
  commands: readonly EditorCommand[];
}

/** The row under the source: outline, symbols, commands, and the word count. It also applies the settings. */
export function EditorBar({ view, isReadOnly, commands }: EditorBarProps) {
  const [open, setOpen] = useState<PanelName | null>(null);
  const settings = useSettings();
  const { structure, count, line } = useDocument(view);
  const { canUndo, canRedo } = useUndo(view);
  const isMac = navigator.platform.startsWith('Mac');
  const named = (label: string, keys: string) => `${label} (${nameKeys(keys, isMac)})`;

  useEffect(() => setTheme(view, settings.theme, settings.size), [view, settings.theme, settings.size]);
  useEffect(() => setSpelling(view, settings.spelling), [view, settings.spelling]);
  useEffect(() => void setKeyMode(view, settings.keys), [view, settings.keys]);
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      if (event.shiftKey || event.altKey) return;
      // before CodeMirror: the same key with Vim, Emacs and standard bindings
      event.preventDefault();
      event.stopPropagation();
      setOpen('commands');
    };
    view.dom.addEventListener('keydown', handleKey, true);
    return () => view.dom.removeEventListener('keydown', handleKey, true);
  }, [view]);

  const insert = (tex: string) => {
    const { from, to } = view.state.selection.main;
    // a letter after a command would become part of its name
    const isGlued = /[A-Za-z]$/.test(tex) && /[A-Za-z]/.test(view.state.sliceDoc(to, to + 1));
    const text = isGlued ? `${tex} ` : tex;
    view.dispatch({
      changes: { from, to, insert: text },
      selection: { anchor: from + text.length },
      userEvent: 'input.complete',
    });
    setOpen(null);
  };
  const jump = (number: number) => {
    const at = view.state.doc.line(Math.min(number, view.state.doc.lines));
    view.dispatch({
      selection: { anchor: at.from },
      effects: EditorView.scrollIntoView(at.from, { y: 'start' }),
    });
    setOpen(null);
  };
  const panel = (name: PanelName, label: string, trigger: ReactNode, content: ReactNode) => (
    <Popover.Root open={open === name} onOpenChange={(isOpen) => setOpen(isOpen ? name : null)}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label={label}
          side="top"
          align="start"
          sideOffset={6}
          collisionPadding={8}
          onOpenAutoFocus={(event) => {
            const first = (event.currentTarget as HTMLElement).querySelector<HTMLElement>(
              '[data-first-focus]',
            );
            if (!first) return;
            event.preventDefault();
            first.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            view.focus();
          }}
          className="z-30 animate-appear rounded-xl border border-hairline bg-page shadow-[0_16px_40px_-12px_oklch(0.2_0.04_266/0.3)] outline-none"
        >
          {content}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );

  return (
    <div
      role="toolbar"
      aria-label="Editor"
      className="flex min-h-10 shrink-0 flex-wrap items-center gap-0.5 border-t border-hairline bg-page px-1 text-xs text-graphite"
    >
      {panel(
        'outline',
        'Outline',
        <IconButton size="small" label="Outline">
          <ListTree />
        </IconButton>,
        <OutlinePanel headings={structure.headings} line={line} onJump={jump} />,
      )}
      {panel(
        'symbols',
        'Symbols',
        <IconButton size="small" label="Symbols" disabled={isReadOnly}>
          <Omega />
        </IconButton>,
        <Suspense fallback={<Loading />}>
          <SymbolPalette onPick={insert} />
        </Suspense>,
      )}
      <IconButton size="small" label={named('Commands', 'Mod-k')} onClick={() => setOpen('commands')}>
        <CommandIcon />
      </IconButton>
      <span aria-hidden="true" className="mx-1 h-4 w-px shrink-0 bg-hairline" />
      <IconButton size="small" label={named('Find', 'Mod-f')} onClick={() => openFind(view)}>
        <Search />
      </IconButton>
      {!isReadOnly && (
        <>
          <IconButton
            size="small"
            label={named('Undo', 'Mod-z')}
            disabled={!canUndo}
            onClick={() => undo(view) && view.focus()}
          >
            <Undo2 />
          </IconButton>
          <IconButton
            size="small"
            label={named('Redo', isMac ? 'Shift-Mod-z' : 'Mod-y')}
            disabled={!canRedo}
            onClick={() => redo(view) && view.focus()}
          >
            <Redo2 />
          </IconButton>
        </>
      )}
      <span className="ml-auto truncate max-sm:hidden">
        {settings.keys !== 'standard' && `${settings.keys === 'vim' ? 'Vim' : 'Emacs'} · `}
        {settings.spelling && `${spellingLanguages[settings.spelling].name} · `}
      </span>
      {panel(
        'count',
        'Word count',
        <button
          type="button"
          className="min-h-8 rounded-md px-2 whitespace-nowrap tabular-nums hover:bg-wash hover:text-ink max-sm:ml-auto pointer-coarse:min-h-11"
        >
          {count.words.toLocaleString('en-GB')} {count.words === 1 ? 'word' : 'words'}
        </button>,
        <CountPanel count={count} />,
      )}
      {open === 'commands' && (
        <CommandPalette view={view} commands={commands} onClose={() => setOpen(null)} />
      )}
    </div>
  );
}

const restMs = 500;

interface DocumentFacts {
  structure: Structure;
  count: WordCount;
  /** The cursor's line, 1-based. */
  line: number;
}

function readDocument({ state }: EditorView): DocumentFacts {
  return {
    structure: getStructure(state),
    count: countWords(state),
    line: state.doc.lineAt(state.selection.main.head).number,
  };
}

/** Facts about the document, updated after a pause in typing: counting 10,000 lines would cost a frame. */
function useDocument(view: EditorView): DocumentFacts {
  const [known, setKnown] = useState(() => readDocument(view));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isWritten = false;
    const look = () => {
      if (!view.dom.isConnected) return;
      if (isWritten) setKnown(readDocument(view));
      else {
        const line = view.state.doc.lineAt(view.state.selection.main.head).number;
        setKnown((before) => (before.line === line ? before : { ...before, line }));
      }
      isWritten = false;
    };
    const watch = ({ docChanged, selectionSet }: ViewUpdate) => {
      if (!docChanged && !selectionSet) return;
      isWritten ||= docChanged;
      clearTimeout(timer);
      timer = setTimeout(
        () =>
          typeof requestIdleCallback === 'function' ? requestIdleCallback(look, { timeout: 2000 }) : look(),
        restMs,
      );
    };
    const stop = watchUpdates(view, watch);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [view]);
  return known;
}

interface UndoFacts {
  canUndo: boolean;
  canRedo: boolean;
}

function readUndo({ state }: EditorView): UndoFacts {
  return { canUndo: undoDepth(state) > 0, canRedo: redoDepth(state) > 0 };
}

/** Whether there is anything to undo or redo. */
function useUndo(view: EditorView): UndoFacts {
  const [known, setKnown] = useState<UndoFacts>(() => readUndo(view));
  useEffect(
    () =>
      watchUpdates(view, ({ docChanged }) => {
        if (!docChanged) return;
        const now = readUndo(view);
        setKnown((before) =>
          before.canUndo === now.canUndo && before.canRedo === now.canRedo ? before : now,
        );
      }),
    [view],
  );
  return known;
}

/** @returns a function that stops watching */
function watchUpdates(view: EditorView, listener: (update: ViewUpdate) => void): () => void {
  const place = new Compartment();
  view.dispatch({ effects: StateEffect.appendConfig.of(place.of(EditorView.updateListener.of(listener))) });
  return () => view.dispatch({ effects: place.reconfigure([]) });
}
