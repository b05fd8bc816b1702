import { Menu, Moon, Sun, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { useSession } from '#web/lib/session/use-session.ts';
import { themeToggle } from '#web/lib/theme.ts';
import { IconButton } from '#web/ui/button.tsx';
import { cn } from '#web/ui/cn.ts';
import { Mark } from '#web/ui/mark.tsx';
import { AccountArea, AuthButtons, isBlog } from './account-area.tsx';
import { listPlaces } from './places.ts';

function linkClass({ isActive }: { isActive: boolean }) {
  return cn(
    'inline-flex min-h-10 items-center rounded-md px-3 text-sm transition-colors duration-150 hover:bg-wash hover:text-ink',
    isActive ? 'font-medium text-ink' : 'text-graphite',
  );
}

export function Header({ isWide }: { isWide: boolean }) {
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const { pathname } = useLocation();
  const { state } = useSession();
  const places = listPlaces(state === 'signed-in');
  useEffect(() => {
    if (!isMenuOpen) return;
    const handleKey = (event: KeyboardEvent) => event.key === 'Escape' && setIsMenuOpen(false);
    addEventListener('keydown', handleKey);
    return () => removeEventListener('keydown', handleKey);
  }, [isMenuOpen]);

  return (
    <header className="sticky top-0 z-30 border-b border-hairline bg-paper">
      <div className={cn('flex h-14 items-center gap-6 px-4 sm:px-6', !isWide && 'mx-auto max-w-6xl')}>
        <Link to="/" className="flex min-h-10 items-center gap-2 rounded-md pr-2" aria-label="Inkproof, home">
          <Mark className="size-6" />
          <span className="font-serif text-xl font-semibold tracking-tight">Inkproof</span>
        </Link>
        <nav aria-label="Main" className="hidden items-center gap-1 sm:flex">
          {places.map((place) => (
            <NavLink
              key={place.to}
              to={place.to}
              end={place.to === '/'}
              reloadDocument={place.isStatic}
              className={linkClass}
            >
              {place.label}
            </NavLink>
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-1">
          <ThemeToggle />
          <AccountArea />
          <IconButton
            label={isMenuOpen ? 'Close menu' : 'Open menu'}
            aria-expanded={isMenuOpen}
            aria-controls="mobile-menu"
            className="sm:hidden"
            onClick={() => setIsMenuOpen((isOpen) => !isOpen)}
          >
            {isMenuOpen ? <X /> : <Menu />}
          </IconButton>
        </div>
      </div>
      <nav
        id="mobile-menu"
        aria-label="Main"
        hidden={!isMenuOpen}
        className={cn('border-t border-hairline px-2 py-2 sm:hidden', isMenuOpen && 'animate-appear')}
      >
        {places.map((place) => (
          <NavLink
            key={place.to}
            to={place.to}
            end={place.to === '/'}
            reloadDocument={place.isStatic}
            className={(state) => cn(linkClass(state), 'min-h-12 w-full text-base')}
            onClick={() => setIsMenuOpen(false)}
          >
            {place.label}
          </NavLink>
        ))}
        {state === 'signed-out' && !isBlog(pathname) && (
          <div className="mt-2 grid grid-cols-2 gap-2 border-t border-hairline px-1 pt-3 pb-1 [&>button]:min-h-12 [&>button]:text-base">
            <AuthButtons onPress={() => setIsMenuOpen(false)} />
          </div>
        )}
      </nav>
    </header>
  );
}

/** Light or dark, from now on and in this browser. Its name and picture are right, and it works, before the app has arrived. */
export function ThemeToggle() {
  return (
    <button
      type="button"
      className="inline-grid size-10 shrink-0 place-items-center rounded-md text-graphite transition-colors duration-150 hover:bg-wash hover:text-ink [&_svg]:size-4"
      {...themeToggle}
    >
      <span className="dark-shown:hidden">
        <Moon aria-hidden="true" />
        <span className="sr-only">Use dark colours</span>
      </span>
      <span className="hidden dark-shown:inline">
        <Sun aria-hidden="true" />
        <span className="sr-only">Use light colours</span>
      </span>
    </button>
  );
}
