import { Play } from 'lucide-react';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { Fold } from '../questions-section.tsx';
import { captionsPath, posterPath, videoPath } from './addresses.ts';
import facts from './demo.json';

/**
 * The film of a page of notes going through the product (`npm run demo:record`). Only its poster is loaded before it
 * is played. It never starts by itself, and needs no script.
 */
export function DemoSection() {
  const { width, height, lines, isShortened } = facts;
  return (
    <section aria-labelledby="demo" className="border-t border-hairline py-14 sm:py-20">
      <div className="mb-8 grid gap-3 sm:mb-10">
        <h2 id="demo" className="landing-title scroll-mt-24">
          See it in action
        </h2>
        <p className="max-w-[38em] text-graphite">
          One page of handwriting, from upload to library. Recorded in one take with the real product and its
          built-in reader{isShortened ? '; long waits are shortened' : ''}.
        </p>
      </div>
      <div
        className="overflow-hidden rounded-2xl border border-hairline bg-page shadow-(--lift)"
        style={{ aspectRatio: `${width} / ${height}` }}
      >
        <video
          controls
          playsInline
          preload="none"
          poster={posterPath}
          width={width}
          height={height}
          aria-label="A page of handwriting becomes LaTeX and a typeset page, is checked, added to, saved and found again"
          className="size-full"
        >
          <source src={videoPath} type="video/mp4" />
          <track kind="captions" src={captionsPath} srcLang="en" label="English" default />
        </video>
      </div>
      <div className="mt-4">
        <Fold title="Transcript of the film">
          <ol className="grid list-decimal gap-1.5 pl-5">
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ol>
        </Fold>
      </div>
    </section>
  );
}

/** Links from the headline to the film. */
export function DemoLink() {
  return (
    <a href="#demo" className={buttonClass({ variant: 'quiet', size: 'large', className: 'max-sm:px-4' })}>
      <Play className="size-4" aria-hidden="true" />
      Watch {facts.seconds} seconds
    </a>
  );
}
