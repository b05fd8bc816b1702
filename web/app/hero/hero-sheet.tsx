import { inkStrokes } from './ink-strokes.ts';
import formulaUrl from './typeset-formula.svg';

/** How long the hand takes to write the formula, in ms. */
const writingMs = 2600;

/** The product's one moment: ink draws itself once, then the same formula lies there in print. */
export function HeroSheet() {
  return (
    <figure
      className="overflow-hidden rounded-2xl border border-hairline shadow-(--lift)"
      aria-label="A handwritten formula, the same formula typeset, and its LaTeX"
    >
      <div className="hero-paper px-8 py-8 sm:px-12">
        <svg viewBox="0 0 396 150" className="mx-auto block w-full max-w-md" fill="none" aria-hidden="true">
          {inkStrokes.map(({ path, begin, share }) => (
            <path
              key={path}
              d={path}
              pathLength={1}
              className="hero-stroke"
              style={{
                animationDelay: `${Math.round(300 + begin * writingMs)}ms`,
                animationDuration: `${Math.max(60, Math.round(share * writingMs))}ms`,
              }}
            />
          ))}
        </svg>
      </div>
      <div className="hero-print border-t border-hairline bg-white px-8 py-9 text-[oklch(0.2_0.02_266)] sm:px-12">
        <div
          className="mx-auto aspect-[84.136/26] w-full max-w-xs bg-current"
          style={{ mask: `url("${formulaUrl}") center / contain no-repeat` }}
        />
      </div>
      <p className="border-t border-hairline bg-page px-4 py-3.5 text-center font-mono text-xs leading-5 text-graphite sm:text-[0.8125rem]">
        {/* a narrow line breaks between factors, never inside one */}
        {['\\int_{-\\infty}^{\\infty} ', 'e^{-x^2}', '\\,\\mathrm{d}x', '=\\sqrt{\\pi}'].map((part) => (
          <span key={part} className="inline-block whitespace-pre">
            {part}
          </span>
        ))}
      </p>
    </figure>
  );
}
