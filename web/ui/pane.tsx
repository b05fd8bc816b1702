import type { ReactNode } from 'react';
import { cn } from './cn.ts';

interface PaneProps {
  /** Names the region for screen readers. */
  label: string;
  header: ReactNode;
  children: ReactNode;
  className?: string;
  bodyClassName?: string;
}

/** A pane: a header row and its content below. */
export function Pane({ label, header, children, className, bodyClassName }: PaneProps) {
  return (
    <section aria-label={label} className={cn('flex min-h-0 min-w-0 flex-col', className)}>
      <div className="flex h-12 shrink-0 items-center gap-2 border-b border-hairline px-4">{header}</div>
      <div className={cn('min-h-0 flex-1', bodyClassName)}>{children}</div>
    </section>
  );
}

/** The unobtrusive name at the start of a pane's header. */
export function PaneTitle({ children }: { children: ReactNode }) {
  return <h2 className="text-[0.8125rem] font-medium text-graphite">{children}</h2>;
}
