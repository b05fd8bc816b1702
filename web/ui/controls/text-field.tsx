import { CircleAlert, Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId, useState } from 'react';
import { cn } from '../cn.ts';
import { IconButton } from './button.tsx';

/** The look of a one-line input. 16 px type on touch screens, or iOS zooms into the page. */
export const inputClass =
  'h-11 w-full min-w-0 rounded-lg border border-edge bg-page px-3 text-[0.9375rem] text-ink transition-colors duration-150 pointer-coarse:text-base aria-invalid:border-red read-only:bg-paper-deep disabled:bg-paper-deep disabled:text-graphite';

export interface TextFieldProps extends Omit<ComponentProps<'input'>, 'size'> {
  label: ReactNode;
  /** What to enter, or why it is asked for: read out with the field. */
  hint?: ReactNode;
  /** Why the input is invalid; empty or null if it is valid. Read out with the field, and when it appears. */
  error?: string | null;
  /** Placed at the right end of the label's line, e.g. a link. */
  aside?: ReactNode;
  /** Placed inside the input's right end, e.g. a button that shows a password. */
  trailing?: ReactNode;
  /** For the whole field; `inputClassName` is for the input. */
  className?: string;
  inputClassName?: string;
}

/** A labelled input. Label, hint and error are linked to it by their ids. */
export function TextField(props: TextFieldProps) {
  const { label, hint, error, aside, trailing, className, inputClassName, id: givenId, ...input } = props;
  const ownId = useId();
  const id = givenId ?? ownId;
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div className={cn('grid gap-1.5', className)}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {aside}
      </div>
      <div className="relative">
        <input
          {...input}
          id={id}
          aria-invalid={error ? true : undefined}
          aria-describedby={described || undefined}
          className={cn(inputClass, Boolean(trailing) && 'pr-12', inputClassName)}
        />
        {trailing && <div className="absolute inset-y-0 right-0.5 grid place-items-center">{trailing}</div>}
      </div>
      {hint && (
        <p id={`${id}-hint`} className="text-[0.8125rem] text-graphite">
          {hint}
        </p>
      )}
      {/* always rendered, so that an error is announced when it appears */}
      <p
        id={`${id}-error`}
        aria-live="polite"
        className={cn('flex gap-1.5 text-[0.8125rem] text-red', !error && 'sr-only')}
      >
        {error && (
          <>
            <CircleAlert className="mt-0.5 size-3.5 shrink-0" aria-hidden="true" />
            <span>{error}</span>
          </>
        )}
      </p>
    </div>
  );
}

interface PasswordFieldProps extends Omit<TextFieldProps, 'type' | 'trailing' | 'autoComplete'> {
  /** Tells password managers whether to fill in a known password or to offer a new one. */
  autoComplete: 'current-password' | 'new-password';
}

/** A password input with a button that shows its content. */
export function PasswordField(props: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false);
  const name = typeof props.label === 'string' ? props.label.toLowerCase() : 'password';
  return (
    <TextField
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      {...props}
      type={isShown ? 'text' : 'password'}
      trailing={
        <IconButton
          label={isShown ? `Hide ${name}` : `Show ${name}`}
          disabled={props.disabled}
          onClick={() => setIsShown((wasShown) => !wasShown)}
        >
          {isShown ? <EyeOff /> : <Eye />}
        </IconButton>
      }
    />
  );
}
