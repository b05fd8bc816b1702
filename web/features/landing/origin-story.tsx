import { Fold } from './questions-section.tsx';

/** Why there is such a thing, for those who want to know. */
export function OriginStory() {
  return (
    <section aria-labelledby="origin" className="landing-row">
      <h2 id="origin" className="landing-title">
        Where it comes from
      </h2>
      <div className="border-t border-hairline">
        <Fold title="Why Inkproof exists">
          <p>
            Mathematics is still thought on paper. A proof is faster with a pen than with any keyboard, and a
            lecture does not wait for an equation to be typed. But paper cannot be searched, it is hard to
            share, and the notes of one term are lost under those of the next.
          </p>
          <p>
            Typing them up afterwards takes an evening a lecture, so mostly it is not done. And much of what
            reads handwriting gives back LaTeX that does not compile, or that says, quite fluently, something
            you did not write.
          </p>
          <p>
            Inkproof is built around these two faults. LaTeX leaves it only after it has been compiled. And
            what it is unsure of it says, at the spot, with the ink beside it, instead of guessing well.
          </p>
        </Fold>
      </div>
    </section>
  );
}
