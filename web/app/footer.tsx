import { Link } from 'react-router';
import { cn } from '#web/ui/cn.ts';

const links = [
  { to: '/contact', label: 'Contact' },
  { to: '/terms', label: 'Terms of Service' },
  { to: '/privacy', label: 'Privacy' },
];

export function Footer({ isWide }: { isWide: boolean }) {
  return (
    <footer className="border-t border-hairline text-[0.8125rem] text-graphite">
      <div
        className={cn(
          'flex flex-wrap items-center justify-between gap-x-8 gap-y-1 px-4 py-4 sm:px-6',
          !isWide && 'mx-auto max-w-6xl',
        )}
      >
        <nav aria-label="Footer" className="-mx-2 flex flex-wrap">
          {links.map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              className="inline-flex min-h-10 items-center pointer-coarse:min-h-11 rounded-md px-2 transition-colors duration-150 hover:bg-wash hover:text-ink"
            >
              {label}
            </Link>
          ))}
        </nav>
        {/* the year of the build, until the page is hydrated in a later one */}
        <p suppressHydrationWarning>© {new Date().getFullYear()} Inkproof</p>
      </div>
    </footer>
  );
}
