import gaussian from './sample/gaussian.tex?raw';

/** The LaTeX source of the print shown next to it. */
export function SourceSheet({ name = 'gaussian.tex', latex = gaussian }: { name?: string; latex?: string }) {
  return (
    <figure className="grid min-w-0 grid-rows-[auto_minmax(0,1fr)] overflow-hidden rounded-2xl border border-hairline bg-page shadow-(--lift) lg:h-0 lg:min-h-full">
      <figcaption className="flex items-center justify-between gap-4 border-b border-hairline px-4 py-2.5 text-[0.8125rem] leading-5 text-graphite">
        <span className="font-mono">{name}</span>
        <span className="flex items-center gap-1.5 text-green">
          <span className="size-1.5 rounded-full bg-current" aria-hidden="true" />
          Compiles
        </span>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, also by keyboard (axe: scrollable-region-focusable) */}
      <section aria-label="LaTeX source" tabIndex={0} className="overflow-auto p-4">
        <pre className="font-mono text-xs leading-[1.55] text-ink-soft sm:text-[0.8125rem]">
          {latex
            .trimEnd()
            .split(/(\\(?:[a-zA-Z]+\*?|.))/)
            .map((part, index) =>
              part.startsWith('\\') ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: the text never changes
                <span key={index} className="text-(--code-command)">
                  {part}
                </span>
              ) : (
                part
              ),
            )}
        </pre>
      </section>
    </figure>
  );
}
