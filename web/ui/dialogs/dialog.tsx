import { X } from 'lucide-react';
import { Dialog as RadixDialog } from 'radix-ui';
import { type ReactNode, useRef } from 'react';
import { cn } from '../cn.ts';
import { IconButton } from '../controls/button.tsx';
import { focusFirst } from './focus-first.ts';

interface DialogProps {
  isOpen: boolean;
  title: string;
  /** One sentence under the title; also the dialog's description. */
  description?: ReactNode;
  onClose: () => void;
  /** Receives the focus on closing if the element that opened the dialog no longer exists. */
  findHeir?: () => HTMLElement | null;
  /** `wide` has room for pictures side by side. */
  size?: 'normal' | 'wide';
  children: ReactNode;
}

/**
 * A modal dialog: traps the focus, and closes by Escape, a click outside or its close button. It opens with the focus
 * on the element with `data-first-focus`, or else on its first control.
 */
export function Dialog({
  isOpen,
  title,
  description,
  onClose,
  findHeir,
  size = 'normal',
  children,
}: DialogProps) {
  const opener = useRef<Element | null>(null);
  return (
    <RadixDialog.Root open={isOpen} onOpenChange={(willOpen) => !willOpen && onClose()}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 animate-appear bg-[oklch(0.15_0.02_266/0.45)]" />
        <RadixDialog.Content
          {...(description ? {} : { 'aria-describedby': undefined })}
          // by hand: Radix knows of no trigger, and `autoFocus` takes the focus before this is called
          onOpenAutoFocus={(event) => {
            opener.current = document.activeElement;
            focusFirst(event);
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            const heir = opener.current?.isConnected ? opener.current : findHeir?.();
            if (heir instanceof HTMLElement) heir.focus();
          }}
          className={cn(
            'fixed top-1/2 left-1/2 z-50 max-h-[calc(100dvh-1.5rem)] -translate-x-1/2 -translate-y-1/2 animate-appear overflow-y-auto rounded-2xl border border-hairline bg-page p-6 shadow-[0_24px_64px_-16px_oklch(0.2_0.04_266/0.35)] outline-none sm:p-8',
            size === 'wide' ? 'w-[min(46rem,calc(100vw-1.5rem))]' : 'w-[min(26rem,calc(100vw-1.5rem))]',
          )}
        >
          <RadixDialog.Title className="pr-10 font-serif text-[1.625rem] leading-tight font-medium tracking-tight">
            {title}
          </RadixDialog.Title>
          {description && (
            <RadixDialog.Description className="mt-1.5 text-graphite">{description}</RadixDialog.Description>
          )}
          <div className="mt-6">{children}</div>
          {/* last in the tab order, though first on the screen */}
          <RadixDialog.Close asChild>
            <IconButton
              label="Close"
              className="absolute top-5 right-3 sm:top-7 sm:right-5 pointer-coarse:top-[1.125rem] sm:pointer-coarse:top-[1.625rem]"
            >
              <X />
            </IconButton>
          </RadixDialog.Close>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
