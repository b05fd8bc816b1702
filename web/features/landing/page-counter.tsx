/** The total of converted pages: a dash until live/count-pages.ts has loaded it. */
export function PageCounter() {
  return (
    <p className="flex flex-col items-start gap-1 text-graphite">
      <span
        data-count="digits"
        className="font-serif text-2xl leading-none font-medium tracking-tight text-ink lining-nums tabular-nums"
        aria-hidden="true"
        suppressHydrationWarning
      >
        –
      </span>
      <span>
        {/* not empty: hydration accepts changed text, but no text where it expects none */}
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
