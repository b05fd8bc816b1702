import type { EditorView } from '@codemirror/view';
import { Check } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { cn } from '#web/ui/cn.ts';
import { type EditorCommand, findCommands, listCommands } from '../editor-commands.ts';
import { nameKeys } from '../key-names.ts';

interface CommandPaletteProps {
  view: EditorView;
  /** Commands of the surrounding screen. */
  commands: readonly EditorCommand[];
  onClose: () => void;
}

/** All commands of the editor, searchable by name. */
export function CommandPalette({ view, commands, onClose }: CommandPaletteProps) {
  const [query, setQuery] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const found = findCommands([...commands, ...listCommands()], query);
  const isMac = navigator.platform.startsWith('Mac');
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: 'nearest' });
  }, [at]);

  const pick = (command: EditorCommand | undefined) => {
    if (!command) return;
    onClose();
    // the dialog restores the focus first; a search panel takes it then
    requestAnimationFrame(() => {
      view.focus();
      command.run(view);
    });
  };
  const handleKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      setAt((at + step + found.length) % Math.max(found.length, 1));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      pick(found[at]);
    }
  };

  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-[oklch(0.15_0.02_266/0.35)]" />
        <Dialog.Content
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            view.focus();
          }}
          className="fixed top-[12vh] left-1/2 z-50 flex max-h-[70vh] w-[min(34rem,calc(100vw-1.5rem))] -translate-x-1/2 animate-appear flex-col overflow-hidden rounded-xl border border-hairline bg-page shadow-[0_24px_64px_-16px_oklch(0.2_0.04_266/0.35)] outline-none"
        >
          <Dialog.Title className="sr-only">Commands</Dialog.Title>
          <input
            role="combobox"
            aria-expanded
            aria-controls={id}
            aria-activedescendant={found[at] ? `${id}-${at}` : undefined}
            aria-label="Find a command"
            placeholder="Find a command"
            value={query}
            onChange={(event) => {
              setQuery(event.target.value);
              setAt(0);
            }}
            onKeyDown={handleKey}
            className="min-h-12 shrink-0 border-b border-hairline bg-transparent px-4 outline-none"
          />
          <div ref={list} id={id} role="listbox" aria-label="Commands" className="overflow-y-auto p-1.5">
            {found.map((command, index) => (
              <div
                key={command.title}
                id={`${id}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === at}
                onPointerMove={() => setAt(index)}
                onClick={() => pick(command)}
                onKeyDown={handleKey}
                className={cn(
                  'flex min-h-9 items-center gap-2 rounded-md px-2.5 text-sm pointer-coarse:min-h-11',
                  index === at && 'bg-wash',
                )}
              >
                {command.title}
                {command.isOn && <Check className="size-4 text-graphite" aria-label="chosen" />}
                {command.keys && (
                  <kbd className="ml-auto font-sans text-xs text-graphite pointer-coarse:hidden">
                    {nameKeys(command.keys, isMac)}
                  </kbd>
                )}
              </div>
            ))}
          </div>
          {found.length === 0 && <p className="px-4 pb-4 text-sm text-graphite">No matching command.</p>}
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
