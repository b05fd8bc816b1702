import { markPath } from './mark-path.ts';

/** Our logo. One colour, legible from 16 px. */
export function Mark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 32 32" className={className} aria-hidden="true" fill="currentColor">
      <path d={markPath} />
    </svg>
  );
}
