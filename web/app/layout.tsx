import { Outlet, useLocation } from 'react-router';
import { useSession } from '#web/lib/session/use-session.ts';
import { ArrivalNotice } from './arrival-notice.tsx';
import { AuthDialogHost } from './auth-dialog-host.tsx';
import { CreditsHost } from './credits-host.tsx';
import { frameOf } from './frame.ts';
import { NavigationLine } from './navigation-line.tsx';
import { OfflineGuard } from './offline-guard.tsx';
import { SiteFrame } from './site-frame.tsx';

/** What every screen stands in, but for those that fill the window themselves (window-layout.tsx). */
export default function SiteLayout() {
  const { pathname } = useLocation();
  const { state } = useSession();
  const isWide = frameOf(pathname, state === 'signed-out') === 'wide';
  return (
    <>
      <SiteFrame isWide={isWide} place={pathname}>
        <ArrivalNotice isWide={isWide} />
        <Outlet />
      </SiteFrame>
      <AuthDialogHost />
      <CreditsHost />
      <OfflineGuard />
      <NavigationLine />
    </>
  );
}
