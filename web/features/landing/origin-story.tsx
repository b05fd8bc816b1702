import { Fold } from './questions-section.tsx';

/** Why the product exists, collapsed at first. */
export function OriginStory() {
  return (
    <section aria-labelledby="origin" className="landing-row">
      <h2 id="origin" className="landing-title">
        Where it comes from
      </h2>
      <div className="border-t border-hairline">
        <Fold title="Why Inkproof exists">
          <p>
            Mathematics still happens on paper. A proof is faster with a pen than with any keyboard, and a
            lecture does not wait for an equation to be typed. But paper cannot be searched, it is hard to
            share, and the notes of one term get buried under those of the next.
          </p>
          <p>
            Typing them up afterwards takes an evening per lecture, so mostly it never happens. And many tools
            that read handwriting give back LaTeX that does not compile, or that says, quite fluently,
            something you did not write.
          </p>
          <p>
            Inkproof is built to avoid both. You only get LaTeX that has been compiled. And where it is
            unsure, it says so, right at the spot and next to the original ink, instead of guessing.
          </p>
        </Fold>
      </div>
    </section>
  );
}
