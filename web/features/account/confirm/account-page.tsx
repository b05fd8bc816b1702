import { type ReactNode, useEffect, useRef } from 'react';

/** A page that says one thing about the account. Its title takes the focus, for it appears after some waiting. */
export function AccountPage({ title, children }: { title: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div className="mx-auto grid min-h-[70dvh] max-w-6xl content-center justify-items-start gap-6 px-4 py-16 sm:px-6">
      <h1
        ref={heading}
        tabIndex={-1}
        className="max-w-3xl font-serif text-4xl leading-tight font-medium tracking-tight outline-none sm:text-5xl"
      >
        {title}
      </h1>
      <div className="grid w-full max-w-[60ch] justify-items-start gap-6 text-graphite">{children}</div>
    </div>
  );
}
