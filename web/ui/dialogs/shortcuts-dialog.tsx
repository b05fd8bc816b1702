import { Dialog } from './dialog.tsx';

/** What a shortcut does: any of `keys`, each as printed on the keyboard. */
export type Shortcut = readonly [keys: readonly string[], does: string];

interface ShortcutsDialogProps {
  isOpen: boolean;
  shortcuts: readonly Shortcut[];
  onClose: () => void;
}

/** The keyboard shortcuts of a screen. */
export function ShortcutsDialog({ isOpen, shortcuts, onClose }: ShortcutsDialogProps) {
  return (
    <Dialog isOpen={isOpen} title="Keyboard" description="On a Mac, ⌘ in place of Ctrl." onClose={onClose}>
      <dl className="grid gap-px">
        {shortcuts.map(([keys, does]) => (
          <div
            key={does}
            className="flex items-center justify-between gap-4 border-b border-hairline py-2 last:border-0"
          >
            <dt className="text-sm">{does}</dt>
            <dd className="flex flex-wrap justify-end gap-1.5">
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
