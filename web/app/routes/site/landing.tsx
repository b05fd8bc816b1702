import { describeVideo } from '#web/features/landing/demo/describe-video.ts';
import { LandingScreen } from '#web/features/landing/landing-screen.tsx';
import { landingQuestions } from '#web/features/landing/questions.ts';
import {
  describeOrganization,
  describeQuestions,
  describeWebsite,
} from '#web/features/site/structured-data.ts';
import { describePage } from '#web/lib/page/page-meta.ts';
import { HeroSheet } from '../../hero/hero-sheet.tsx';
import '../../hero/hero.css';

export function meta() {
  return describePage({
    path: '/',
    title: 'Inkproof: handwritten notes and PDFs to LaTeX that compiles',
    description:
      'Turn photos, scans and PDFs of notes into LaTeX that compiles, with the PDF next to it. Ten pages free.',
    image: {
      path: '/og/landing.png',
      alt: 'Handwritten notes on the Gaussian integral, and the same notes typeset',
    },
    data: [describeOrganization(), describeWebsite(), describeVideo(), describeQuestions(landingQuestions)],
  });
}

export default function Landing() {
  return <LandingScreen hasDemo picture={<HeroSheet />} />;
}
