import { inkStrokes } from './ink-strokes.ts';
import type { InkStroke } from './time-strokes.ts';
import formulaUrl from './typeset-formula.svg';

/** How long writing the formula takes, in ms. */
const writingMs = 2600;

export interface HeroFormula {
  /** On a 396 × 150 sheet. */
  strokes: readonly InkStroke[];
  /** The same formula typeset: an SVG used as a mask, and its aspect ratio. */
  print: { url: string; ratio: number };
  /** A narrow line breaks between these parts, never inside one. */
  latex: readonly string[];
}

const gaussian: HeroFormula = {
  strokes: inkStrokes,
  print: { url: formulaUrl, ratio: 84.136 / 26 },
  latex: ['\\int_{-\\infty}^{\\infty} ', 'e^{-x^2}', '\\,\\mathrm{d}x', '=\\sqrt{\\pi}'],
};

/** The ink draws itself once, then the same formula appears in print. */
export function HeroSheet({ formula = gaussian }: { formula?: HeroFormula }) {
  return (
    <figure
      className="overflow-hidden rounded-2xl border border-hairline shadow-(--lift)"
      aria-label="A handwritten formula, the same formula typeset, and its LaTeX"
    >
      <div className="squared-paper px-8 py-8 sm:px-12">
        <svg viewBox="0 0 396 150" className="mx-auto block w-full max-w-md" fill="none" aria-hidden="true">
          {formula.strokes.map(({ path, begin, share }) => (
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
          className="mx-auto w-full max-w-xs bg-current"
          style={{
            aspectRatio: formula.print.ratio,
            mask: `url("${formula.print.url}") center / contain no-repeat`,
          }}
        />
      </div>
      <p className="border-t border-hairline bg-page px-4 py-3.5 text-center font-mono text-xs leading-5 text-graphite sm:text-[0.8125rem]">
        {formula.latex.map((part) => (
          <span key={part} className="inline-block whitespace-pre">
            {part}
          </span>
        ))}
      </p>
    </figure>
  );
}
