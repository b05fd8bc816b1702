import { type ReactNode, useId } from 'react';
import { cn } from './cn.ts';

interface SectionProps {
  title: string;
  description?: ReactNode;
  children: ReactNode;
  className?: string;
}

/** A section of a page with its own heading, under a hairline; a region for screen readers. */
export function Section({ title, description, children, className }: SectionProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={cn('border-t border-hairline py-8 sm:py-10', className)}>
      <h2 id={id} className="font-serif text-xl font-medium sm:text-[1.375rem]">
        {title}
      </h2>
      {description && <p className="mt-1 max-w-[39em] text-graphite">{description}</p>}
      <div className="mt-5 grid gap-5">{children}</div>
    </section>
  );
}
