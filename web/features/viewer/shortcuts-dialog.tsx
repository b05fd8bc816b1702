import { Dialog } from '#web/ui/dialog.tsx';

const shortcuts: [keys: string[], does: string][] = [
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

export function ShortcutsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog isOpen={isOpen} title="Keyboard" description="On a Mac, ⌘ in place of Ctrl." onClose={onClose}>
      <dl className="grid gap-px">
        {shortcuts.map(([keys, does]) => (
          <div
            key={does}
            className="flex items-center justify-between gap-4 border-b border-hairline py-2 last:border-0"
          >
            <dt className="text-sm">{does}</dt>
            <dd className="flex gap-1.5">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="rounded-md border border-hairline bg-paper px-1.5 py-0.5 font-sans text-xs text-graphite"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
