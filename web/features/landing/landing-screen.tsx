import { type ReactNode, useEffect, useRef } from 'react';
import { BeforeAfter } from './before-after.tsx';
import { CallToAction } from './call-to-action.tsx';
import { DemoLink, DemoSection } from './demo/demo-section.tsx';
import './landing.css';
import { OriginStory } from './origin-story.tsx';
import { PageCounter } from './page-counter.tsx';
import { PricingTeaser } from './pricing-teaser.tsx';
import { landingQuestions, type Question } from './questions.ts';
import { QuestionsSection } from './questions-section.tsx';
import { SourceSheet } from './source-sheet.tsx';
import { Testimonial } from './testimonial.tsx';
import { TypingHeading } from './typing-heading.tsx';

interface LandingScreenProps {
  /** Replaces the animated headline. */
  heading?: string;
  /** Replaces the sentences under it. */
  lead?: string;
  /** Replaces the questions at the end. */
  questions?: readonly Question[];
  /** Shown next to the headline. */
  picture: ReactNode;
  /** Replaces the notes on the Gaussian integral and their LaTeX. */
  sample?: ReactNode;
  /** Shows the demo film. */
  hasDemo?: boolean;
}

const steps = [
  {
    title: 'Add your notes',
    text: 'Photos from a phone, scans or PDFs. Rotate pages, reorder them, leave some out.',
  },
  {
    title: 'Watch it being read',
    text: 'Pages arrive one by one. Anything the reader is unsure of is listed, next to the original ink.',
  },
  {
    title: 'Take it with you',
    text: 'The LaTeX is compiled before you get it. Edit it, ask for changes, download the source and the PDF.',
  },
];

const promises = [
  {
    title: 'It compiles',
    text: 'Every document is compiled before you see it, with the PDF next to the source.',
  },
  {
    title: 'It is what you wrote',
    text: 'Nothing is corrected, solved or completed. Doubtful spots are marked in red, for you to decide.',
  },
  {
    title: 'You can find it again',
    text: 'Sort saved documents into folders, and search them for any word or formula.',
  },
  {
    title: 'Your files are yours',
    text: 'Uploads are deleted after processing. They are kept only if you save them.',
  },
];

/** The public front page; with its own heading, questions and sample also the landing page for one subject. */
export function LandingScreen({
  heading,
  lead,
  questions = landingQuestions,
  picture,
  sample,
  hasDemo = false,
}: LandingScreenProps) {
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    let stop: (() => void) | null = null;
    let isUnmounted = false;
    // a chunk of its own: on a prerendered page it runs long before this effect
    import('./live/start-landing.ts').then(
      ({ startLanding }) => {
        if (!isUnmounted && root.current) stop = startLanding(root.current);
      },
      () => undefined,
    );
    return () => {
      isUnmounted = true;
      stop?.();
    };
  }, []);

  return (
    <div ref={root} data-landing className="mx-auto max-w-6xl px-4 sm:px-6">
      <section className="grid items-center gap-12 py-10 sm:py-16 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.05fr)] lg:gap-16">
        <div className="grid min-w-0 justify-items-start gap-6">
          {heading === undefined ? <TypingHeading /> : <h1 className="landing-heading">{heading}</h1>}
          <p className="max-w-[29em] text-lg leading-relaxed text-graphite">
            {lead ??
              'Inkproof reads photos, scans and PDFs of notes and gives you LaTeX that compiles, with its PDF. Anything it’s unsure of is marked, next to the original ink.'}
          </p>
          <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
            <CallToAction />
            {hasDemo && <DemoLink />}
          </div>
        </div>
        {picture}
      </section>

      <section aria-labelledby="example" className="border-t border-hairline py-14 sm:py-20">
        <div className="mb-8 grid gap-3 sm:mb-10">
          <h2 id="example" className="landing-title">
            From handwriting to print
          </h2>
          <p className="max-w-[38em] text-graphite">
            Drag to compare the page before and after, with the LaTeX behind it.
          </p>
        </div>
        {sample ?? (
          <div className="grid gap-5 lg:grid-cols-[minmax(0,1.3fr)_minmax(0,1fr)]">
            <BeforeAfter />
            <SourceSheet />
          </div>
        )}
      </section>

      {hasDemo && <DemoSection />}

      <section aria-labelledby="how" className="border-t border-hairline py-14 sm:py-20">
        <h2 id="how" className="landing-title mb-8 sm:mb-10">
          How it works
        </h2>
        <ol className="grid gap-8 sm:grid-cols-3 sm:gap-10">
          {steps.map((step, index) => (
            <li key={step.title} className="grid content-start gap-2">
              <span className="font-mono text-sm text-graphite" aria-hidden="true">
                {index + 1}
              </span>
              <h3 className="font-serif text-xl font-medium">{step.title}</h3>
              <p className="text-graphite">{step.text}</p>
            </li>
          ))}
        </ol>
      </section>

      <section aria-labelledby="promises" className="landing-row">
        <div className="grid content-start gap-6">
          <h2 id="promises" className="landing-title">
            What you can rely on
          </h2>
          <PageCounter />
        </div>
        <dl className="grid gap-x-10 gap-y-8 sm:grid-cols-2">
          {promises.map((promise) => (
            <div key={promise.title} className="grid content-start gap-1.5">
              <dt className="font-medium">{promise.title}</dt>
              <dd className="text-graphite">{promise.text}</dd>
            </div>
          ))}
        </dl>
      </section>

      <Testimonial />
      <PricingTeaser />
      <OriginStory />
      <QuestionsSection questions={questions} />

      <section aria-labelledby="begin" className="border-t border-hairline py-16 sm:py-24">
        <div className="grid justify-items-center gap-7 text-center">
          <h2 id="begin" className="landing-heading max-w-2xl">
            Your notes are ready for print
          </h2>
          <CallToAction />
        </div>
      </section>
    </div>
  );
}
