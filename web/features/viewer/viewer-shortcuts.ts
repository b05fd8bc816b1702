import type { Shortcut } from '#web/ui/dialogs/shortcuts-dialog.tsx';

/** What use-viewer-keys.ts listens to. */
export const viewerShortcuts: readonly Shortcut[] = [
  [['Ctrl F'], 'Search in the PDF'],
  [['←', '→'], 'Page before, page after'],
  [['↑', '↓'], 'Scroll'],
  [['Page Up', 'Page Down'], 'Scroll by the window'],
  [['Home', 'End'], 'First page, last page'],
  [['+', '−'], 'Zoom in, zoom out'],
  [['0'], 'Fit to width'],
  [['R', 'Shift R'], 'Rotate right, rotate left'],
  [['T'], 'Small pages'],
  [['F'], 'Full screen'],
  [['Ctrl P'], 'Print'],
  [['Ctrl S'], 'Download'],
  [['?'], 'This list'],
];
