import { cn } from '#web/ui/cn.ts';

/** Contact, terms and privacy join with their pages. */
export function Footer({ isWide }: { isWide: boolean }) {
  return (
    <footer className="border-t border-hairline text-[0.8125rem] text-graphite">
      <p className={cn('px-4 py-6 sm:px-6', !isWide && 'mx-auto max-w-6xl')}>
        © {new Date().getFullYear()} Inkproof
      </p>
    </footer>
  );
}
