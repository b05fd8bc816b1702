import { Link } from 'react-router';
import { PageCounter } from '#web/features/billing/counter/page-counter.tsx';
import { buttonClass } from '#web/ui/button.tsx';
import { HeroSheet } from '../hero/hero-sheet.tsx';
import '../hero/hero.css';

export function meta() {
  return [
    { title: 'Inkproof: handwritten notes and PDFs to LaTeX that compiles' },
    {
      name: 'description',
      content: 'Photos, scans and PDFs of notes become LaTeX that compiles, with its PDF beside it.',
    },
  ];
}

const steps = [
  {
    title: 'Put your notes down',
    text: 'Photos from a phone, a scan, a PDF. Turn pages, reorder them, leave some out.',
  },
  {
    title: 'Read along',
    text: 'Pages arrive one by one. Spots the reader is unsure of are listed, with the ink beside them.',
  },
  {
    title: 'Take it with you',
    text: 'The LaTeX has compiled before you get it. Edit it, ask for changes, download both.',
  },
];

export default function Landing() {
  return (
    <div className="mx-auto max-w-6xl px-4 sm:px-6">
      <section className="grid items-center gap-12 py-12 sm:py-20 lg:grid-cols-[minmax(0,1fr)_minmax(0,1.05fr)] lg:gap-16">
        <div className="grid justify-items-start gap-6">
          <h1 className="font-serif text-[2.75rem] leading-[1.05] font-medium tracking-[-0.02em] sm:text-6xl">
            Your notes, <br />
            in LaTeX <br />
            that compiles
          </h1>
          <p className="max-w-[46ch] text-lg leading-relaxed text-graphite">
            Inkproof reads photos, scans and PDFs of notes and gives you the LaTeX with its PDF. Mathematics,
            tables and lists come as you wrote them: nothing is corrected, solved or completed.
          </p>
          <Link
            to="/convert"
            prefetch="intent"
            className={buttonClass({ variant: 'primary', size: 'large' })}
          >
            Try it for free
          </Link>
          <PageCounter />
        </div>
        <HeroSheet />
      </section>
      <section aria-labelledby="how" className="border-t border-hairline py-12 sm:py-16">
        <h2 id="how" className="sr-only">
          How it goes
        </h2>
        <ol className="grid gap-8 sm:grid-cols-3 sm:gap-10">
          {steps.map((step) => (
            <li key={step.title} className="grid content-start gap-2">
              <h3 className="font-serif text-xl font-medium">{step.title}</h3>
              <p className="text-graphite">{step.text}</p>
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
}
