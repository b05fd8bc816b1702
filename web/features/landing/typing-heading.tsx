import { Pause, Play } from 'lucide-react';
import { wordPairs } from './words.ts';

const [firstNote, firstPdf] = wordPairs[0];

/**
 * The headline. Screen readers and search engines get one unchanging sentence; the animated words are hidden from
 * them.
 */
export function TypingHeading() {
  return (
    <div className="relative w-full">
      <h1 className="landing-heading" data-pairs={JSON.stringify(wordPairs)}>
        <span className="sr-only">
          Turn {firstNote} notes into {firstPdf} PDFs
        </span>
        <span aria-hidden="true">
          <span className="block">
            Turn{' '}
            <span data-word="note" className="landing-typed landing-note" suppressHydrationWarning>
              {firstNote}
            </span>
          </span>
          <span className="block">notes into</span>
          <span className="block">
            <span data-word="pdf" className="landing-typed" suppressHydrationWarning>
              {firstPdf}
            </span>
          </span>
          <span className="block">PDFs</span>
        </span>
      </h1>
      {/* anything that moves by itself must be stoppable (WCAG 2.2.2) */}
      <button
        type="button"
        data-pause
        aria-pressed="false"
        suppressHydrationWarning
        aria-label="Pause the headline"
        className="group absolute right-0 bottom-0 grid size-10 place-items-center pointer-coarse:size-11 rounded-md text-graphite transition-colors duration-150 hover:bg-wash hover:text-ink motion-reduce:hidden"
      >
        <Pause className="size-4 group-aria-pressed:hidden" aria-hidden="true" />
        <Play className="hidden size-4 group-aria-pressed:block" aria-hidden="true" />
      </button>
    </div>
  );
}
