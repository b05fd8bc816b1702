import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Button } from '#web/ui/controls/button.tsx';

interface SettingRowProps {
  /** Omitted if the section's heading says it. */
  label?: string;
  value: ReactNode;
  /** The button that opens the form, e.g. "Change address"; without one the row is read-only. */
  action?: string;
  isOpen?: boolean;
  onOpen?: () => void;
  /** Called when Escape closes the form. */
  onClose?: () => void;
  /** The form, while it is open. */
  children?: ReactNode;
}

/** One setting: its name, its value, and a form that opens under it. The focus moves to the form and returns. */
export function SettingRow({
  label,
  value,
  action,
  isOpen = false,
  onOpen,
  onClose,
  children,
}: SettingRowProps) {
  const id = useId();
  const form = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (isOpen) form.current?.querySelector<HTMLInputElement>('input:not([hidden])')?.focus();
    else if (wasOpen.current) button.current?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);

  return (
    <div>
      <div className="flex min-h-10 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        {label ? (
          <dl className="min-w-0">
            <dt className="text-[0.8125rem] text-graphite">{label}</dt>
            <dd className="break-words">{value}</dd>
          </dl>
        ) : (
          <p className="min-w-0 text-graphite">{value}</p>
        )}
        {action && !isOpen && (
          <Button ref={button} onClick={onOpen} aria-expanded={false} aria-controls={id}>
            {action}
          </Button>
        )}
      </div>
      <div id={id} ref={form} hidden={!isOpen}>
        {isOpen && (
          // biome-ignore lint/a11y/noStaticElementInteractions: only listens to what bubbles up from the form's own controls
          <div
            onKeyDown={(event) => event.key === 'Escape' && onClose?.()}
            className="mt-4 animate-settle rounded-xl border border-hairline bg-page p-4 sm:p-5"
          >
            {children}
          </div>
        )}
      </div>
    </div>
  );
}

interface FormButtonsProps {
  submit: string;
  isBusy: boolean;
  onCancel: () => void;
}

/** The form's submit and Cancel buttons. */
export function FormButtons({ submit, isBusy, onCancel }: FormButtonsProps) {
  return (
    <div className="flex flex-wrap gap-2">
      <Button type="submit" variant="primary" isBusy={isBusy}>
        {submit}
      </Button>
      <Button variant="quiet" onClick={onCancel} disabled={isBusy}>
        Cancel
      </Button>
    </div>
  );
}
