import { Outlet, useLocation } from 'react-router';
import { ArrivalNotice } from './arrival-notice.tsx';
import { AuthDialogHost } from './auth-dialog-host.tsx';
import { CreditsHost } from './credits-host.tsx';
import { Footer } from './footer.tsx';
import { Header } from './header.tsx';

/** Header, page, footer: what every screen stands in. */
export default function SiteLayout() {
  const { pathname } = useLocation();
  // a desk fills the window; everything else keeps to the measure of its text
  const isWide = pathname.startsWith('/convert');
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#content"
        className="sr-only z-50 rounded-lg bg-ink px-4 py-3 text-paper focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
      >
        Skip to content
      </a>
      <Header key={pathname} isWide={isWide} />
      <main id="content" tabIndex={-1} className="flex-1 outline-none">
        <ArrivalNotice isWide={isWide} />
        <Outlet />
      </main>
      <Footer isWide={isWide} />
      <AuthDialogHost />
      <CreditsHost />
    </div>
  );
}
