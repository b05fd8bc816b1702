import type { ComponentProps, ReactNode } from 'react';
import { cn } from '../cn.ts';
import { Spinner } from './loading.tsx';

export type ButtonVariant = 'primary' | 'outline' | 'quiet' | 'danger' | 'link';
/** `text` inherits the size of the surrounding text. */
export type ButtonSize = 'small' | 'medium' | 'large' | 'text';

const variants: Record<ButtonVariant, string> = {
  // in forced colours still the filled one, in colours that belong together
  primary:
    'border border-transparent bg-ink text-paper hover:bg-ink-soft disabled:bg-wash disabled:text-graphite forced-color-adjust-none forced-colors:bg-[ButtonText] forced-colors:text-[ButtonFace] forced-colors:disabled:border-[GrayText] forced-colors:disabled:bg-[ButtonFace] forced-colors:disabled:text-[GrayText]',
  outline:
    'border border-edge bg-page text-ink hover:bg-wash disabled:border-hairline disabled:text-graphite',
  quiet: 'text-ink hover:bg-wash disabled:text-graphite disabled:hover:bg-transparent',
  danger: 'border border-red text-red hover:bg-red-wash',
  link: 'text-ink underline decoration-edge underline-offset-4 hover:decoration-ink disabled:text-graphite',
};
const sizes: Record<ButtonSize, string> = {
  small: 'min-h-9 px-3 text-[0.8125rem] pointer-coarse:min-h-11',
  medium: 'min-h-10 px-4 text-sm pointer-coarse:min-h-11',
  large: 'min-h-12 px-6 text-base',
  text: 'min-h-9 px-1 pointer-coarse:min-h-11',
};

/** The classes of a button, also for links that act as one. */
export function buttonClass(
  options: { variant?: ButtonVariant; size?: ButtonSize; className?: string } = {},
) {
  return cn(
    'inline-flex select-none items-center justify-center gap-2 rounded-lg font-medium whitespace-nowrap transition-colors duration-150 [&_svg]:shrink-0',
    variants[options.variant ?? 'outline'],
    sizes[options.size ?? 'medium'],
    options.className,
  );
}

interface ButtonProps extends ComponentProps<'button'> {
  variant?: ButtonVariant;
  size?: ButtonSize;
  isBusy?: boolean;
  icon?: ReactNode;
}

export function Button({
  variant,
  size,
  isBusy,
  icon,
  className,
  children,
  disabled,
  ...props
}: ButtonProps) {
  return (
    <button
      type="button"
      {...props}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
      className={buttonClass({ variant, size, className })}
    >
      {isBusy ? <Spinner className="size-4 text-current" /> : icon}
      {children}
    </button>
  );
}

/** A square button with only an icon; `label` is its accessible name and its tooltip. */
export function IconButton({
  label,
  className,
  children,
  size = 'medium',
  ...props
}: ComponentProps<'button'> & { label: string; size?: 'small' | 'medium' }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...props}
      className={cn(
        'inline-grid shrink-0 place-items-center rounded-md text-graphite transition-colors duration-150 hover:bg-wash hover:text-ink disabled:text-edge disabled:hover:bg-transparent pointer-coarse:size-11 [&_svg]:size-4',
        size === 'small' ? 'size-8' : 'size-10',
        className,
      )}
    >
      {children}
    </button>
  );
}
