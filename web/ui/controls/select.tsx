import { ChevronDown } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cn } from '../cn.ts';

/** A native select styled like the other fields. `className` applies to the whole field. */
export function Select({
  className,
  size = 'medium',
  children,
  ...props
}: Omit<ComponentProps<'select'>, 'size'> & { size?: 'small' | 'medium' }) {
  return (
    <span className={cn('relative block min-w-0', className)}>
      <select
        {...props}
        className={cn(
          'w-full min-w-0 appearance-none truncate rounded-lg border border-edge bg-page text-ink transition-colors duration-150 hover:bg-wash disabled:bg-paper-deep disabled:text-graphite pointer-coarse:h-11 pointer-coarse:text-base',
          size === 'small' ? 'h-9 pr-8 pl-3 text-[0.8125rem]' : 'h-11 pr-9 pl-3 text-[0.9375rem]',
        )}
      >
        {children}
      </select>
      <ChevronDown
        className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-graphite"
        aria-hidden="true"
      />
    </span>
  );
}
