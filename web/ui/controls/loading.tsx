import { cn } from '../cn.ts';

/** The loading view: a centred spinner with the accessible label "Loading". `isPage` fills the window. */
export function Loading({ isPage = false, label = 'Loading' }: { isPage?: boolean; label?: string }) {
  return (
    <div
      role="status"
      aria-label={label}
      className={cn('grid place-items-center', isPage ? 'min-h-[70dvh]' : 'h-full min-h-32')}
    >
      <Spinner className="size-7" />
    </div>
  );
}

export function Spinner({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" className={cn('animate-spin text-graphite', className)} aria-hidden="true">
      <circle cx="12" cy="12" r="9.5" fill="none" stroke="currentColor" strokeWidth="2" opacity="0.2" />
      <path
        d="M12 2.5a9.5 9.5 0 0 1 9.5 9.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </svg>
  );
}
