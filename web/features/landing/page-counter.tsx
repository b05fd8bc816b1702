/** How many pages have been converted, by everybody: a dash until live/count-pages.ts knows it. */
export function PageCounter() {
  return (
    <p className="flex items-baseline gap-2.5 text-graphite">
      <span
        data-count="digits"
        className="min-w-[1ch] font-serif text-2xl font-medium tracking-tight text-ink lining-nums tabular-nums"
        aria-hidden="true"
        suppressHydrationWarning
      >
        –
      </span>
      <span>
        {/* text from the start: React takes text that has changed by then, but no text where it expects none */}
        <span data-count="spoken" className="sr-only" suppressHydrationWarning>
          {' '}
        </span>
        <span data-count="label" suppressHydrationWarning>
          pages converted
        </span>
      </span>
    </p>
  );
}
