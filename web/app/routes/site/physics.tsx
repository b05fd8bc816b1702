import { BeforeAfter, type Sheet } from '#web/features/landing/before-after.tsx';
import { LandingScreen } from '#web/features/landing/landing-screen.tsx';
import { SourceSheet } from '#web/features/landing/source-sheet.tsx';
import inkUrl from '#web/features/site/physics/ink.svg';
import latex from '#web/features/site/physics/oscillator.tex?raw';
import printUrl from '#web/features/site/physics/print.svg';
import { physicsQuestions } from '#web/features/site/physics/questions.ts';
import { describeQuestions } from '#web/features/site/structured-data.ts';
import { describePage } from '#web/lib/page/page-meta.ts';
import { HeroSheet } from '../../hero/hero-sheet.tsx';
import { oscillator } from '../../hero/oscillator.ts';
import '../../hero/hero.css';

const sheet: Sheet = {
  ink: {
    url: inkUrl,
    label: 'Handwritten notes: a mass on a spring, its motion, and its energy in a box',
  },
  print: {
    url: printUrl,
    label: 'The same notes, typeset: the equation of motion, the cosine, the energy in a box',
  },
};

export function meta() {
  return describePage({
    path: '/physics-notes-to-latex',
    title: 'Physics notes to LaTeX · Inkproof',
    description:
      'Turn handwritten physics notes into LaTeX that compiles: equations of motion, vectors and units, with doubtful spots marked. Ten pages free.',
    image: {
      path: '/og/physics.png',
      alt: 'Handwritten notes on the harmonic oscillator, and the same notes typeset',
    },
    data: [describeQuestions(physicsQuestions)],
  });
}

/** The landing page for physics notes (specification, section 2). */
export default function Physics() {
  return (
    <LandingScreen
      heading="Physics notes to LaTeX"
      lead="Photos, scans and PDFs of lecture notes, problem sheets and lab books become LaTeX that compiles, with its PDF. Nothing is solved or corrected, and anything hard to read is marked."
      questions={physicsQuestions}
      picture={<HeroSheet formula={oscillator} />}
      sample={
        <div className="grid items-stretch gap-5 lg:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)]">
          <BeforeAfter sheet={sheet} />
          <SourceSheet name="oscillator.tex" latex={latex} />
        </div>
      }
    />
  );
}
