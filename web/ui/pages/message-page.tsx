import { type ReactNode, useEffect, useRef } from 'react';
import { cn } from '#web/ui/cn.ts';

interface MessagePageProps {
  title: string;
  /** Shown small above the title. */
  mark?: string;
  /** The page appears after some waiting, so its title takes the focus. */
  takesFocus?: boolean;
  /** Next to the message on wide screens, decorative. */
  picture?: ReactNode;
  children: ReactNode;
}

/**
 * A page with one message in place of a screen: log in first, the outcome of a payment, not found.
 * A title that replaces another takes the focus.
 */
export function MessagePage({ title, mark, takesFocus = false, picture, children }: MessagePageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const last = useRef(takesFocus ? null : title);
  useEffect(() => {
    if (title === last.current) return;
    last.current = title;
    heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <div
      className={cn(
        'mx-auto grid min-h-[70dvh] max-w-6xl content-center items-center gap-12 px-4 py-16 sm:px-6 lg:gap-16',
        picture !== undefined && 'lg:grid-cols-[minmax(0,1.2fr)_minmax(0,1fr)]',
      )}
    >
      <div className="grid min-w-0 justify-items-start gap-6">
        {mark && <p className="font-mono text-sm text-graphite">{mark}</p>}
        <h1
          ref={heading}
          tabIndex={-1}
          className="max-w-3xl font-serif text-4xl leading-tight font-medium tracking-tight outline-none sm:text-5xl"
        >
          {title}
        </h1>
        <div className="grid w-full max-w-[38em] justify-items-start gap-6 text-graphite">{children}</div>
      </div>
      {picture}
    </div>
  );
}
