import type { ReactNode, Ref } from 'react';

interface ScrollAreaProps {
  ref?: Ref<HTMLDivElement>;
  label: string;
  className?: string;
  children: ReactNode;
}

/** An area that scrolls on its own: named, and in the tab order so that the arrow keys can scroll it. */
export function ScrollArea({ ref, label, className, children }: ScrollAreaProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls
    // biome-ignore lint/a11y/noNoninteractiveTabindex: otherwise the keyboard cannot scroll it
    <div ref={ref} tabIndex={0} role="group" aria-label={label} className={className}>
      {children}
    </div>
  );
}
