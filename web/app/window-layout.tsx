import { Outlet } from 'react-router';
import { AuthDialogHost } from './auth-dialog-host.tsx';
import { CreditsHost } from './credits-host.tsx';
import { NavigationLine } from './header/navigation-line.tsx';
import { OfflineGuard } from './offline-guard.tsx';

/** For screens that fill the window with a row of their own on top: only the dialogs that anything may open. */
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
