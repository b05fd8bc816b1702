import { Menu, Moon, Sun, X } from 'lucide-react';
import { useRef } from 'react';
import { NavLink, useLocation } from 'react-router';
import { themeToggle } from '../../lib/page/theme.ts';
import { useSession } from '../../lib/session/use-session.ts';
import { cn } from '../../ui/cn.ts';
import { HomeLink } from '../../ui/pages/home-link.tsx';
import { isBlog, listPlaces } from '../places.ts';
import { AccountArea, AuthButtons } from './account-area.tsx';

/** The classes of a header link. */
export function linkClass({ isActive }: { isActive: boolean }) {
  return cn(
    'inline-flex min-h-10 items-center rounded-md px-3 pointer-coarse:min-h-11 transition-colors duration-150 hover:bg-wash hover:text-ink',
    isActive ? 'font-medium text-ink' : 'text-graphite',
  );
}

export function Header({ isWide }: { isWide: boolean }) {
  const menu = useRef<HTMLElement>(null);
  const closeMenu = () => menu.current?.hidePopover();
  const { pathname } = useLocation();
  const { state } = useSession();
  const places = listPlaces(state === 'signed-in');
  const isHere = ({ isStatic = false }) => isStatic && isBlog(pathname);

  return (
    <header className="group/header tall:sticky top-0 z-30 border-b border-hairline bg-paper">
      <div
        className={cn('flex h-14 items-center gap-3 px-4 sm:px-6 md:gap-6', !isWide && 'mx-auto max-w-6xl')}
      >
        <HomeLink />
        <nav aria-label="Main" className="hidden items-center gap-1 sm:flex">
          {places.map((place) => (
            <NavLink
              key={place.to}
              to={place.to}
              end={place.to === '/'}
              reloadDocument={place.isStatic}
              className={({ isActive }) => cn(linkClass({ isActive: isActive || isHere(place) }), 'text-sm')}
            >
              {place.label}
            </NavLink>
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-1">
          <ThemeToggle />
          <AccountArea />
          <MenuButton />
        </div>
      </div>
      <nav
        ref={menu}
        id={menuId}
        popover="auto"
        aria-label="Main"
        className="fixed inset-x-0 top-14 bottom-auto w-auto border-y border-hairline bg-paper px-1 py-2 text-ink animate-appear sm:hidden"
      >
        {places.map((place) => (
          <NavLink
            key={place.to}
            to={place.to}
            end={place.to === '/'}
            reloadDocument={place.isStatic}
            className={({ isActive }) =>
              cn(linkClass({ isActive: isActive || isHere(place) }), 'min-h-12 w-full text-base')
            }
            onClick={closeMenu}
          >
            {place.label}
          </NavLink>
        ))}
        {state !== 'signed-in' && !isBlog(pathname) && (
          <div className="signed-in:hidden mt-2 grid grid-cols-2 gap-2 border-t border-hairline px-3 pt-3 pb-1 [&>button]:min-h-12 [&>button]:text-base">
            <AuthButtons onPress={closeMenu} />
          </div>
        )}
      </nav>
    </header>
  );
}

const menuId = 'mobile-menu';

/**
 * The menu of small screens, a native popover: it opens, and closes on Escape and outside clicks, without the app.
 */
function MenuButton() {
  return (
    <button
      type="button"
      popoverTarget={menuId}
      className="inline-grid size-10 shrink-0 pointer-coarse:size-11 place-items-center rounded-md text-graphite transition-colors duration-150 hover:bg-wash hover:text-ink sm:hidden [&_svg]:size-4"
    >
      <span className="group-has-[:popover-open]/header:hidden">
        <Menu aria-hidden="true" />
        <span className="sr-only">Open menu</span>
      </span>
      <span className="hidden group-has-[:popover-open]/header:inline">
        <X aria-hidden="true" />
        <span className="sr-only">Close menu</span>
      </span>
    </button>
  );
}

/**
 * Switches between light and dark in this browser. Its label and icon are right, and it works, before the app has
 * loaded.
 */
export function ThemeToggle() {
  return (
    <button
      type="button"
      className="inline-grid size-10 shrink-0 pointer-coarse:size-11 place-items-center rounded-md text-graphite transition-colors duration-150 hover:bg-wash hover:text-ink [&_svg]:size-4"
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
