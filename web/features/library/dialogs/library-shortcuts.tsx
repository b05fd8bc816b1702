import { useEffect } from 'react';
import { type Shortcut, ShortcutsDialog } from '#web/ui/dialogs/shortcuts-dialog.tsx';
import { isTyping } from '../toast-bar.tsx';
import { useLibrary } from '../use-library.tsx';

const shortcuts: readonly Shortcut[] = [
  [['Ctrl K', '/'], 'Search'],
  [['←', '→', '↑', '↓'], 'Move through the list'],
  [['Enter'], 'Open'],
  [['N'], 'New document'],
  [['Space', 'X'], 'Select'],
  [['Shift Space', 'Shift ↓'], 'Extend the selection'],
  [['Ctrl A', 'Esc'], 'Select all, clear the selection'],
  [['F2'], 'Rename'],
  [['S'], 'Star, or remove the star'],
  [['M'], 'Move to a folder'],
  [['Delete'], 'Move to the trash'],
  [['Ctrl Z'], 'Undo the last action'],
  [['Shift F10'], 'Menu'],
  [['?'], 'This list'],
];

/** The library's keyboard shortcuts, opened by `?` unless a text field has the focus. */
export function LibraryShortcuts() {
  const { dialog, openDialog } = useLibrary();
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || isTyping(event.target)) return;
      if (document.querySelector('[role=dialog],[role=alertdialog],[role=menu]')) return;
      event.preventDefault();
      openDialog({ kind: 'shortcuts' });
    };
    addEventListener('keydown', handleKey);
    return () => removeEventListener('keydown', handleKey);
  }, [openDialog]);
  return (
    <ShortcutsDialog
      isOpen={dialog?.kind === 'shortcuts'}
      shortcuts={shortcuts}
      onClose={() => openDialog(null)}
    />
  );
}
