import { Check } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cn } from '../cn.ts';

/** A checkbox in our colours for both schemes. Label and position are up to the caller. */
export function Checkbox({ className, ...props }: Omit<ComponentProps<'input'>, 'type'>) {
  return (
    <span className={cn('relative inline-grid size-4.5 shrink-0 place-items-center', className)}>
      <input
        {...props}
        type="checkbox"
        className="peer size-full cursor-pointer appearance-none rounded border border-edge bg-page transition-colors duration-150 checked:border-ink checked:bg-ink hover:border-ink disabled:cursor-default disabled:border-hairline"
      />
      <Check
        strokeWidth={3}
        className="pointer-events-none absolute hidden size-3 text-paper peer-checked:block forced-colors:text-[CanvasText]"
        aria-hidden="true"
      />
    </span>
  );
}
