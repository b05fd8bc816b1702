import { Outlet } from 'react-router';
import { AuthDialogHost } from './auth-dialog-host.tsx';
import { CreditsHost } from './credits-host.tsx';
import { NavigationLine } from './header/navigation-line.tsx';
import { OfflineGuard } from './offline-guard.tsx';

/** For screens that fill the window with their own header: only the dialogs that can open anywhere. */
export default function WindowLayout() {
  return (
    <>
      <Outlet />
      <AuthDialogHost />
      <CreditsHost />
      <OfflineGuard />
      <NavigationLine />
    </>
  );
}
