import type { EditorView } from '@codemirror/view';
import { Popover } from 'radix-ui';
import type { ReactNode } from 'react';
import { focusFirst } from '../../dialogs/focus-first.ts';

interface ToolPopoverProps {
  view: EditorView;
  label: string;
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  side: 'top' | 'bottom';
  trigger: ReactNode;
  children: ReactNode;
}

/** What a button of a toolbar opens; when it closes, the source has the focus again. */
export function ToolPopover({
  view,
  label,
  isOpen,
  onOpenChange,
  side,
  trigger,
  children,
}: ToolPopoverProps) {
  return (
    <Popover.Root open={isOpen} onOpenChange={onOpenChange}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          aria-label={label}
          side={side}
          align="start"
          sideOffset={6}
          collisionPadding={8}
          onOpenAutoFocus={focusFirst}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            view.focus();
          }}
          className="z-30 animate-appear rounded-xl border border-hairline bg-page shadow-[0_16px_40px_-12px_oklch(0.2_0.04_266/0.3)] outline-none"
        >
          {children}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
