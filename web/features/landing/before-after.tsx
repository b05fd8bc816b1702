import { MoveHorizontal } from 'lucide-react';
import inkUrl from './sample/ink.svg';
import printUrl from './sample/print.svg';

/** Two pictures of one sheet, 720 × 560, used as masks; and what they show, in words. */
export interface Sheet {
  ink: { url: string; label: string };
  print: { url: string; label: string };
}

const gaussian: Sheet = {
  ink: {
    url: inkUrl,
    label: 'Handwritten notes: the Gaussian integral, squared, in polar coordinates; I equals the root of pi',
  },
  print: {
    url: printUrl,
    label:
      'The same notes, typeset: the heading in bold, the integrals in Computer Modern, the result in a box',
  },
};

/**
 * One sheet, ink on the left and print on the right, with a divider that can be dragged with a mouse or finger
 * anywhere on the sheet, or moved with the arrow keys. The print is what the product makes of the LaTeX shown next to
 * it.
 */
export function BeforeAfter({ sheet = gaussian }: { sheet?: Sheet }) {
  return (
    <div className="min-w-0 self-start overflow-hidden rounded-2xl border border-hairline bg-page shadow-(--lift)">
      <p
        aria-hidden="true"
        className="flex justify-between border-b border-hairline px-4 py-2.5 text-[0.8125rem] leading-5 text-graphite"
      >
        <span className="text-(--ink-wet)">Ink</span>
        <span>Print</span>
      </p>
      <div className="landing-sheet relative aspect-[720/560]" suppressHydrationWarning>
        <div role="img" aria-label={sheet.print.label} className="landing-print absolute inset-0 bg-white">
          <div className="size-full bg-[oklch(0.2_0.02_266)]" style={maskOf(sheet.print.url)} />
        </div>
        <div role="img" aria-label={sheet.ink.label} className="landing-ink squared-paper absolute inset-0">
          <div className="landing-ink-colour size-full" style={maskOf(sheet.ink.url)} />
        </div>
        <input
          type="range"
          data-edge
          min={0}
          max={100}
          defaultValue={50}
          aria-label="Compare handwriting and print"
          autoComplete="off"
          suppressHydrationWarning
          className="landing-range peer absolute inset-0 size-full cursor-ew-resize touch-pan-y appearance-none bg-transparent opacity-0"
        />
        <div className="landing-edge pointer-events-none absolute inset-y-0 w-0.5 bg-ink peer-focus-visible:[&>span]:outline-2">
          <span className="absolute top-1/2 left-1/2 grid size-11 -translate-1/2 place-items-center rounded-full bg-ink text-paper outline-offset-2 outline-(--focus)">
            <MoveHorizontal className="size-5" aria-hidden="true" />
          </span>
        </div>
      </div>
    </div>
  );
}

function maskOf(url: string) {
  return { mask: `url("${url}") center / 100% 100% no-repeat` };
}
