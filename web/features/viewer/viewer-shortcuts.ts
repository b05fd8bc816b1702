import type { Shortcut } from '#web/ui/dialogs/shortcuts-dialog.tsx';

/** The shortcuts that use-viewer-keys.ts handles. */
export const viewerShortcuts: readonly Shortcut[] = [
  [['Ctrl F'], 'Search in the PDF'],
  [['←', '→'], 'Previous page, next page'],
  [['↑', '↓'], 'Scroll'],
  [['Page Up', 'Page Down'], 'Scroll by a screen'],
  [['Home', 'End'], 'First page, last page'],
  [['+', '−'], 'Zoom in, zoom out'],
  [['0'], 'Fit to width'],
  [['R', 'Shift R'], 'Rotate right, rotate left'],
  [['T'], 'Thumbnails'],
  [['F'], 'Full screen'],
  [['Ctrl P'], 'Print'],
  [['Ctrl S'], 'Download'],
  [['?'], 'This list'],
];
