import { UserRound } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { useLocation } from 'react-router';
import { openAuthDialog } from '../../lib/auth-dialog.ts';
import { retryImport } from '../../lib/retry-import.ts';
import { useSession } from '../../lib/session/use-session.ts';
import { buttonClass } from '../../ui/controls/button.tsx';
import { prepareAuthDialog } from '../auth-dialog-host.tsx';
import { isBlog } from '../places.ts';

const UserMenu = lazy(async () => ({
  default: (await retryImport(() => import('./user-menu.tsx'))).UserMenu,
}));

/** Login and Sign up, or the user menu. Nothing on the blog. */
export function AccountArea() {
  const { pathname } = useLocation();
  const { state, user } = useSession();
  if (isBlog(pathname)) return null;
  return (
    <>
      {state !== 'signed-in' && (
        <div className="flex items-center gap-1 signed-in:hidden">
          <AuthButtons className="max-sm:hidden" />
        </div>
      )}
      {state === 'loading' && (
        <div className="hidden signed-in:block">
          <MenuPlace />
        </div>
      )}
      {state === 'signed-in' && user && (
        <Suspense fallback={<MenuPlace />}>
          <UserMenu userId={user.id} email={user.email} />
        </Suspense>
      )}
    </>
  );
}

/** Login and Sign up, in the header and in the menu of small screens. */
export function AuthButtons({ className = '', onPress }: { className?: string; onPress?: () => void }) {
  const open = (mode: 'login' | 'signup') => () => {
    onPress?.();
    openAuthDialog(mode);
  };
  return (
    <>
      <button
        type="button"
        className={buttonClass({ variant: 'quiet', size: 'small', className: `text-sm ${className}` })}
        onPointerEnter={prepareAuthDialog}
        onFocus={prepareAuthDialog}
        onClick={open('login')}
      >
        Login
      </button>
      <button
        type="button"
        className={buttonClass({ variant: 'primary', size: 'small', className: 'text-sm' })}
        onPointerEnter={prepareAuthDialog}
        onFocus={prepareAuthDialog}
        onClick={open('signup')}
      >
        Sign up
      </button>
    </>
  );
}

/** Placeholder for the menu until its code has loaded. */
export function MenuPlace() {
  return (
    <span className="grid size-10 place-items-center pointer-coarse:size-11 text-graphite" aria-hidden="true">
      <span className="grid size-8 place-items-center rounded-full border border-hairline bg-page">
        <UserRound className="size-4" />
      </span>
    </span>
  );
}
