import type { EditorView } from '@codemirror/view';
import { type Shortcut, type ShortcutGroup, ShortcutsDialog } from '#web/ui/dialogs/shortcuts-dialog.tsx';
import { type EditorCommand, listCommands } from '../editor-commands.ts';
import { useSettings } from '../editor-settings.ts';
import { nameKeys } from '../key-names.ts';

interface EditorShortcutsProps {
  view: EditorView;
  /** Commands of the surrounding screen. */
  commands: readonly EditorCommand[];
  onClose: () => void;
}

/** Keys that are not commands of the palette: they only make sense at the cursor. */
const writing: readonly (readonly [keys: readonly string[], does: string])[] = [
  [['Ctrl-Space'], 'Suggest a completion'],
  [['Enter'], 'Accept it'],
  [['Tab'], 'Next field of a completion, or indent'],
  [['Escape', 'Tab'], 'Leave the editor'],
];
const lines = (isMac: boolean): typeof writing => [
  [['Alt-ArrowUp', 'Alt-ArrowDown'], 'Move the line'],
  [['Shift-Alt-ArrowUp', 'Shift-Alt-ArrowDown'], 'Copy the line'],
  [['Shift-Mod-k'], 'Delete the line'],
  [isMac ? ['Mod-Alt-['] : ['Ctrl-Shift-['], 'Fold'],
  [isMac ? ['Mod-Alt-]'] : ['Ctrl-Shift-]'], 'Unfold'],
];

/** All of the editor's keys, from the same table as the command palette. */
export function EditorShortcuts({ view, commands, onClose }: EditorShortcutsProps) {
  const { keys: mode } = useSettings();
  const isMac = navigator.platform.startsWith('Mac');
  const named = (keys: readonly string[], does: string): Shortcut => [
    keys.map((key) => nameKeys(key, isMac)),
    does,
  ];
  const listed = (all: readonly EditorCommand[]) =>
    all.flatMap(({ keys, title }) => (keys ? [named([keys], title)] : []));
  const own = listCommands();
  const groupOf = (group: EditorCommand['group']) => listed(own.filter((one) => one.group === group));
  const groups: ShortcutGroup[] = [
    { title: 'Document', shortcuts: [...listed(commands), named(['Mod-k'], 'All commands')] },
    { title: 'Formatting', shortcuts: groupOf('format') },
    { title: 'Writing', shortcuts: writing.map(([keys, does]) => named(keys, does)) },
    { title: 'Finding', shortcuts: groupOf('find') },
    {
      title: 'Editing',
      shortcuts: [...groupOf('edit'), ...lines(isMac).map(([keys, does]) => named(keys, does))],
    },
  ];
  return (
    <ShortcutsDialog
      isOpen
      shortcuts={groups}
      description={
        mode === 'standard'
          ? 'Every key below works while the source has the focus.'
          : `With ${mode === 'vim' ? 'Vim' : 'Emacs'} keys, that mode’s own take precedence.`
      }
      onClose={() => {
        onClose();
        requestAnimationFrame(() => view.focus());
      }}
    />
  );
}
