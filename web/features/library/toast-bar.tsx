import { CircleAlert, X } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { Button, IconButton } from '#web/ui/controls/button.tsx';
import { useLibrary } from './use-library.tsx';

/** How long a message stays, in ms; with an undo button it stays longer. Hover or focus pauses the time. */
const stayMs = 5_000;
const undoMs = 10_000;

/** The message at the bottom of the screen. Ctrl/Cmd+Z presses its button. */
export function ToastBar() {
  const { toasts } = useLibrary();
  const toast = useSyncExternalStore(toasts.subscribe, toasts.get, toasts.get);
  const [isHeld, setIsHeld] = useState(false);
  useEffect(() => {
    if (!toast || isHeld || toast.tone === 'error') return;
    const timer = setTimeout(() => toasts.dismiss(), toast.action ? undoMs : stayMs);
    return () => clearTimeout(timer);
  }, [toast, isHeld, toasts]);
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key === 'z';
      if (!isUndo || !toast?.action || isTyping(event.target)) return;
      event.preventDefault();
      toasts.dismiss();
      toast.action.run();
    };
    addEventListener('keydown', handleKey);
    return () => removeEventListener('keydown', handleKey);
  }, [toast, toasts]);

  const { action } = toast ?? { action: null };
  return (
    // above the selection's bar, if there is one
    <div className="pointer-events-none fixed inset-x-3 bottom-4 z-50 grid justify-items-center [body:has([data-bulk-bar])_&]:bottom-20">
      {/* always rendered, so that messages are announced */}
      <div role="status" aria-live="polite">
        {toast && (
          // biome-ignore lint/a11y/noStaticElementInteractions: only holds the message while it is looked at
          <div
            key={toast.id}
            onPointerEnter={() => setIsHeld(true)}
            onPointerLeave={() => setIsHeld(false)}
            onFocus={() => setIsHeld(true)}
            onBlur={() => setIsHeld(false)}
            className="pointer-events-auto flex max-w-[min(34rem,calc(100vw-1.5rem))] animate-settle items-center gap-2 rounded-xl border border-hairline bg-page py-1.5 pr-1.5 pl-4 text-sm shadow-[0_12px_32px_-8px_oklch(0.2_0.04_266/0.35)]"
          >
            {toast.tone === 'error' && (
              <CircleAlert className="size-4 shrink-0 text-red" aria-hidden="true" />
            )}
            <p className="min-w-0 py-1.5 [overflow-wrap:anywhere]">{toast.text}</p>
            {action && (
              <Button
                variant="outline"
                size="small"
                onClick={() => {
                  toasts.dismiss();
                  action.run();
                }}
              >
                {action.label}
              </Button>
            )}
            <IconButton label="Dismiss message" size="small" onClick={() => toasts.dismiss()}>
              <X />
            </IconButton>
          </div>
        )}
      </div>
    </div>
  );
}

/** True if keys pressed there are text input. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]') !== null
  );
}
