import type { ReactNode } from 'react';
import { Spinner } from '#web/ui/controls/loading.tsx';

/** Shown in place of a PDF: why, and what can be done. */
export function Message({
  title,
  text,
  isBusy = false,
  children,
}: {
  title: string;
  text: string;
  isBusy?: boolean;
  children?: ReactNode;
}) {
  return (
    <div className="mx-auto max-w-2xl px-4 py-10 sm:px-6 sm:py-14">
      <div
        role={isBusy ? 'status' : undefined}
        className="grid min-h-[40dvh] content-center justify-items-start gap-5"
      >
        {isBusy && <Spinner className="size-7" />}
        <h2 className="font-serif text-3xl leading-tight font-medium tracking-tight sm:text-4xl">{title}</h2>
        <p className="max-w-[33em] text-graphite">{text}</p>
        {children}
      </div>
    </div>
  );
}
