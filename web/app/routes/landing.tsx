import { Link } from 'react-router';
import { buttonClass } from '#web/ui/button.tsx';

export function meta() {
  return [
    { title: 'Inkproof: handwritten notes and PDFs to LaTeX that compiles' },
    {
      name: 'description',
      content: 'Photos, scans and PDFs of notes become LaTeX that compiles, with its PDF.',
    },
  ];
}

export default function Landing() {
  return (
    <div className="mx-auto grid max-w-6xl gap-10 px-6 py-16">
      <h1 className="font-serif text-5xl">Wet ink becomes print.</h1>
      <Link to="/convert" className={buttonClass({ variant: 'primary', size: 'large' })}>
        Try it for free
      </Link>
    </div>
  );
}
