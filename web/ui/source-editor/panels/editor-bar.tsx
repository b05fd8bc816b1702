import { redo, redoDepth, undo, undoDepth } from '@codemirror/commands';
import type { EditorView } from '@codemirror/view';
import { Command as CommandIcon, Keyboard, ListTree, Omega, Redo2, Search, Undo2 } from 'lucide-react';
import { Toolbar } from 'radix-ui';
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import { retryImport } from '#web/lib/retry-import.ts';
import { IconButton } from '#web/ui/controls/button.tsx';
import { Loading } from '#web/ui/controls/loading.tsx';
import { DialogOnItsWay } from '#web/ui/dialogs/dialog-on-its-way.tsx';
import type { EditorCommand } from '../editor-commands.ts';
import { changeSettings, getSettings, useSettings } from '../editor-settings.ts';
import { setKeyMode } from '../extensions/keys.ts';
import { openFind } from '../extensions/search-panel.ts';
import { setTheme } from '../extensions/themes.ts';
import { nameKeys } from '../key-names.ts';
import { spellingLanguages } from '../spelling/languages.ts';
import { setSpelling } from '../spelling-mode.ts';
import { setMode } from '../visual-mode.ts';
import { countWords, type WordCount } from '../word-count.ts';
import { ModeSwitch } from './mode-switch.tsx';
import { ToolPopover } from './tool-popover.tsx';
import { sameFields, useFacts, watchUpdates } from './use-view.ts';

// each is loaded when it is opened
const SymbolPalette = lazy(async () => ({
  default: (await retryImport(() => import('./symbol-palette.tsx'))).SymbolPalette,
}));
const OutlinePanel = lazy(async () => ({
  default: (await retryImport(() => import('./outline-panel.tsx'))).OutlinePanel,
}));
const CountPanel = lazy(async () => ({
  default: (await retryImport(() => import('./count-panel.tsx'))).CountPanel,
}));
const CommandPalette = lazy(async () => ({
  default: (await retryImport(() => import('./command-palette.tsx'))).CommandPalette,
}));
const EditorShortcuts = lazy(async () => ({
  default: (await retryImport(() => import('./editor-shortcuts.tsx'))).EditorShortcuts,
}));

type PanelName = 'outline' | 'symbols' | 'count' | 'commands' | 'shortcuts';

const modeKeys = 'Mod-Alt-v';
const switchMode = () => changeSettings({ mode: getSettings().mode === 'visual' ? 'source' : 'visual' });

interface EditorBarProps {
  view: EditorView;
  isReadOnly: boolean;
  commands: readonly EditorCommand[];
}

/** The bar under the source: outline, symbols, commands, and the word count. It also applies the settings. */
export function EditorBar({ view, isReadOnly, commands }: EditorBarProps) {
  const [open, setOpen] = useState<PanelName | null>(null);
  const settings = useSettings();
  const count = useWordCount(view);
  const { canUndo, canRedo } = useUndo(view);
  const allCommands = useMemo(
    () => [
      ...commands,
      {
        title: settings.mode === 'visual' ? 'Show the source' : 'Visual mode',
        keys: modeKeys,
        run: switchMode,
      },
      { title: 'Keyboard shortcuts', keys: 'F1', run: () => setOpen('shortcuts') },
    ],
    [commands, settings.mode],
  );
  const isMac = navigator.platform.startsWith('Mac');
  const named = (label: string, keys: string) => `${label} (${nameKeys(keys, isMac)})`;

  useEffect(() => setTheme(view, settings.theme, settings.size), [view, settings.theme, settings.size]);
  useEffect(() => void setSpelling(view, settings.spelling), [view, settings.spelling]);
  useEffect(() => void setKeyMode(view, settings.keys), [view, settings.keys]);
  useEffect(() => void setMode(view, settings.mode), [view, settings.mode]);
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const { shiftKey, altKey } = event;
      const isMod = event.ctrlKey || event.metaKey;
      // the key's place: with Alt some keyboards write another letter
      if (isMod && altKey && !shiftKey && event.code === 'KeyV') {
        event.preventDefault();
        event.stopPropagation();
        switchMode();
        return;
      }
      if (shiftKey || altKey) return;
      const name =
        event.key === 'F1' && !isMod
          ? 'shortcuts'
          : event.key.toLowerCase() === 'k' && isMod
            ? 'commands'
            : null;
      if (name === null) return;
      // before CodeMirror: the same keys with Vim, Emacs and standard bindings
      event.preventDefault();
      event.stopPropagation();
      setOpen(name);
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
  const panel = (name: PanelName, label: string, trigger: ReactNode, content: ReactNode) => (
    <ToolPopover
      view={view}
      label={label}
      side="top"
      isOpen={open === name}
      onOpenChange={(isOpen) => setOpen(isOpen ? name : null)}
      trigger={<Toolbar.Button asChild>{trigger}</Toolbar.Button>}
    >
      <Suspense fallback={<Loading />}>{content}</Suspense>
    </ToolPopover>
  );
  const tool = (
    label: string,
    icon: ReactNode,
    onClick: () => void,
    { isDisabled = false, className }: { isDisabled?: boolean; className?: string } = {},
  ) => (
    <Toolbar.Button asChild disabled={isDisabled}>
      <IconButton size="small" label={label} onClick={onClick} className={className}>
        {icon}
      </IconButton>
    </Toolbar.Button>
  );

  return (
    <Toolbar.Root
      aria-label="Editor"
      // if the source is narrow, some tools are only in the palette
      className="flex min-h-10 shrink-0 flex-wrap items-center gap-0.5 border-t border-hairline bg-page px-1 text-xs text-graphite pointer-coarse:py-0.5"
    >
      {settings.outline === 'open'
        ? tool('Close the outline', <ListTree />, () => changeSettings({ outline: 'closed' }))
        : panel(
            'outline',
            'Outline',
            <IconButton size="small" label="Outline">
              <ListTree />
            </IconButton>,
            <OutlinePanel view={view} isPinned={false} onClose={() => setOpen(null)} />,
          )}
      {panel(
        'symbols',
        'Symbols',
        <IconButton size="small" label="Symbols" disabled={isReadOnly}>
          <Omega />
        </IconButton>,
        <SymbolPalette onPick={insert} />,
      )}
      {tool(named('Commands', 'Mod-k'), <CommandIcon />, () => setOpen('commands'))}
      {tool(named('Keyboard shortcuts', 'F1'), <Keyboard />, () => setOpen('shortcuts'), {
        className: '@max-lg:hidden',
      })}
      <Toolbar.Separator className="mx-1 h-4 w-px shrink-0 bg-hairline" />
      {tool(named('Find', 'Mod-f'), <Search />, () => openFind(view), { className: '@max-md:hidden' })}
      {!isReadOnly && (
        <>
          {tool(named('Undo', 'Mod-z'), <Undo2 />, () => undo(view) && view.focus(), {
            isDisabled: !canUndo,
          })}
          {tool(named('Redo', isMac ? 'Shift-Mod-z' : 'Mod-y'), <Redo2 />, () => redo(view) && view.focus(), {
            isDisabled: !canRedo,
          })}
        </>
      )}
      <Toolbar.Separator className="mx-1 h-4 w-px shrink-0 bg-hairline @max-md:hidden" />
      <ModeSwitch mode={settings.mode} keys={nameKeys(modeKeys, isMac)} />
      <span className="ml-auto min-w-0 truncate @max-lg:hidden">
        {settings.keys !== 'standard' && `${settings.keys === 'vim' ? 'Vim' : 'Emacs'} · `}
        {settings.spelling && `${spellingLanguages[settings.spelling].name} · `}
      </span>
      {panel(
        'count',
        'Word count',
        <button
          type="button"
          className="min-h-8 rounded-md px-2 whitespace-nowrap tabular-nums hover:bg-wash hover:text-ink @max-lg:hidden pointer-coarse:min-h-11"
        >
          {count.words.toLocaleString('en-GB')} {count.words === 1 ? 'word' : 'words'}
        </button>,
        <CountPanel count={count} />,
      )}
      <Suspense fallback={<DialogOnItsWay onClose={() => setOpen(null)} />}>
        {open === 'commands' && (
          <CommandPalette view={view} commands={allCommands} onClose={() => setOpen(null)} />
        )}
        {open === 'shortcuts' && (
          <EditorShortcuts view={view} commands={allCommands} onClose={() => setOpen(null)} />
        )}
      </Suspense>
    </Toolbar.Root>
  );
}

const restMs = 500;

/** Counted after a pause in typing: 10,000 lines would cost a frame. */
function useWordCount(view: EditorView): WordCount {
  const [count, setCount] = useState(() => countWords(view.state));
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => view.dom.isConnected && setCount(countWords(view.state));
    const stop = watchUpdates(view, ({ docChanged }) => {
      if (!docChanged) return;
      clearTimeout(timer);
      timer = setTimeout(
        () =>
          typeof requestIdleCallback === 'function' ? requestIdleCallback(look, { timeout: 2000 }) : look(),
        restMs,
      );
    });
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [view]);
  return count;
}

/** Whether there is anything to undo or redo. */
function useUndo(view: EditorView): { canUndo: boolean; canRedo: boolean } {
  return useFacts(view, {
    read: ({ state }) => ({ canUndo: undoDepth(state) > 0, canRedo: redoDepth(state) > 0 }),
    isSame: sameFields,
    restMs: 0,
  });
}
