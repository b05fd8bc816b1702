import { type ReactNode, useEffect, useRef } from 'react';

interface MessagePageProps {
  title: string;
  children: ReactNode;
}

/** A page that says one thing about a payment. A title that takes the place of another one takes the focus. */
export function MessagePage({ title, children }: MessagePageProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const first = useRef(title);
  useEffect(() => {
    if (title === first.current) return;
    first.current = title;
    heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <div className="mx-auto grid min-h-[70dvh] max-w-6xl content-center justify-items-start gap-6 px-4 py-16 sm:px-6">
      <h1
        ref={heading}
        tabIndex={-1}
        className="max-w-3xl font-serif text-4xl leading-tight font-medium tracking-tight outline-none sm:text-5xl"
      >
        {title}
      </h1>
      {children}
    </div>
  );
}
