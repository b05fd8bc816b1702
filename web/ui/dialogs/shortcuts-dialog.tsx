import { Dialog } from './dialog.tsx';

/** What a shortcut does: any of `keys`, each as printed on the keyboard. */
export type Shortcut = readonly [keys: readonly string[], does: string];

interface ShortcutsDialogProps {
  isOpen: boolean;
  /** Many come in groups, under headings. */
  shortcuts: readonly Shortcut[] | readonly ShortcutGroup[];
  description?: string;
  onClose: () => void;
}

export interface ShortcutGroup {
  title: string;
  shortcuts: readonly Shortcut[];
}

const isGrouped = (list: ShortcutsDialogProps['shortcuts']): list is readonly ShortcutGroup[] =>
  list.length > 0 && 'title' in list[0]!;

/** The keyboard shortcuts of a screen. */
export function ShortcutsDialog({
  isOpen,
  shortcuts,
  description = 'On a Mac, ⌘ in place of Ctrl.',
  onClose,
}: ShortcutsDialogProps) {
  const isWide = isGrouped(shortcuts);
  return (
    <Dialog
      isOpen={isOpen}
      title="Keyboard"
      description={description}
      size={isWide ? 'wide' : 'normal'}
      onClose={onClose}
    >
      {isWide ? (
        <div className="gap-x-10 sm:columns-2">
          {shortcuts.map((group) => (
            <section key={group.title} className="mb-6 break-inside-avoid">
              <h3 className="mb-1 text-xs text-graphite">{group.title}</h3>
              <ShortcutList shortcuts={group.shortcuts} />
            </section>
          ))}
        </div>
      ) : (
        <ShortcutList shortcuts={shortcuts} />
      )}
    </Dialog>
  );
}

function ShortcutList({ shortcuts }: { shortcuts: readonly Shortcut[] }) {
  return (
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
  );
}
