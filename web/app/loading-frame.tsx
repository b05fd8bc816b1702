import { Menu } from 'lucide-react';
import { cn } from '#web/ui/cn.ts';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { Loading } from '#web/ui/controls/loading.tsx';
import { HomeLink } from '#web/ui/pages/home-link.tsx';
import { MenuPlace } from './header/account-area.tsx';
import { linkClass, ThemeToggle } from './header/header.tsx';
import { listPlaces } from './places.ts';
import { SkipLink } from './site-frame.tsx';

/**
 * Shown at addresses that are not prerendered until the app has loaded: the site's header, and a spinner in place of
 * the screen. Links and the theme switch work; space is kept for what needs the app, so that nothing moves.
 */
export function LoadingFrame() {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <header className="border-b border-hairline bg-paper frame-bare:hidden">
        <div className="mx-auto flex h-14 max-w-6xl items-center gap-3 px-4 sm:px-6 md:gap-6 frame-wide:max-w-none">
          <HomeLink />
          <nav aria-label="Main" className="hidden items-center gap-1 sm:flex">
            {listPlaces(true).map(({ to, label, isOwn }) => (
              <a
                key={to}
                href={to}
                className={cn(linkClass({ isActive: false }), 'text-sm', isOwn && 'signed-out:hidden')}
              >
                {label}
              </a>
            ))}
          </nav>
          <div className="ml-auto flex items-center gap-1">
            <ThemeToggle />
            <span className="invisible flex items-center gap-1 signed-in:hidden" aria-hidden="true">
              <span className={buttonClass({ variant: 'quiet', size: 'small', className: 'max-sm:hidden' })}>
                Login
              </span>
              <span className={buttonClass({ variant: 'primary', size: 'small' })}>Sign up</span>
            </span>
            <span className="hidden signed-in:block">
              <MenuPlace />
            </span>
            <span
              className="grid size-10 place-items-center text-graphite sm:hidden pointer-coarse:size-11 [&_svg]:size-4"
              aria-hidden="true"
            >
              <Menu />
            </span>
          </div>
        </div>
      </header>
      <main id="content" tabIndex={-1} className="flex-1 outline-none">
        <Loading isPage />
      </main>
    </div>
  );
}
