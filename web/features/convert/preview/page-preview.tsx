import { LatexBlocks } from '#web/ui/latex-blocks.tsx';

/** An approximate rendering of one page's LaTeX, to read while the rest is in progress; the PDF will be exact. */
export function PagePreview({ latex }: { latex: string }) {
  return (
    <div className="space-y-3 font-serif text-[0.9375rem] leading-relaxed break-words hyphens-auto">
      <LatexBlocks latex={latex} />
    </div>
  );
}
