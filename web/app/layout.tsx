import type { ReactNode } from 'react';
import { Outlet, useLocation } from 'react-router';
import { useSession } from '#web/lib/session/use-session.ts';
import type { Route } from './+types/layout';
import { ArrivalNotice } from './arrival-notice.tsx';
import { AuthDialogHost } from './auth-dialog-host.tsx';
import { CreditsHost } from './credits-host.tsx';
import { ErrorScreen, isMissing } from './error-screen.tsx';
import { frameOf } from './frame.ts';
import { NavigationLine } from './header/navigation-line.tsx';
import { OfflineGuard } from './offline-guard.tsx';
import { SiteFrame } from './site-frame.tsx';

/** The layout of all screens except those that fill the window (window-layout.tsx). */
export default function SiteLayout() {
  return (
    <Site>
      <Outlet />
    </Site>
  );
}

/** For every screen in the layout: header and footer stay usable. */
export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <Site>
      <title>{isMissing(error) ? 'Not found · Inkproof' : 'Error · Inkproof'}</title>
      <ErrorScreen isMissing={isMissing(error)} />
    </Site>
  );
}

function Site({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const { state } = useSession();
  const isWide = frameOf(pathname, state === 'signed-out') === 'wide';
  return (
    <>
      <SiteFrame isWide={isWide} place={pathname}>
        <ArrivalNotice isWide={isWide} />
        {children}
      </SiteFrame>
      <AuthDialogHost />
      <CreditsHost />
      <OfflineGuard />
      <NavigationLine />
    </>
  );
}
