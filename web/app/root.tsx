import { type ReactNode, useEffect } from 'react';
import { Links, Meta, Outlet } from 'react-router';
import { earlyFilesScript } from '#web/lib/page/early-files.ts';
import { applySeasonScript } from '#web/lib/page/season.ts';
import { themeScript } from '#web/lib/page/theme.ts';
import { configureZodScript } from '#web/lib/page/zod-setup.ts';
import { applySessionScript } from '#web/lib/session/stored-session.ts';
import type { Route } from './+types/root';
import { ErrorScreen, isMissing } from './error-screen.tsx';
import interUrl from './fonts/inter.woff2?url';
import serifUrl from './fonts/source-serif-4.woff2?url';
import { applyFrameScript } from './frame.ts';
import { LoadingFrame } from './loading-frame.tsx';
import { StartScripts } from './start/start-scripts.tsx';
import './app.css';

export const links: Route.LinksFunction = () => [
  { rel: 'icon', href: '/favicon.svg', type: 'image/svg+xml' },
  { rel: 'apple-touch-icon', href: '/apple-touch-icon.png' },
  { rel: 'manifest', href: '/site.webmanifest' },
  ...[interUrl, serifUrl].map((href) => ({
    ...{ rel: 'preload', href, as: 'font', type: 'font/woff2', crossOrigin: 'anonymous' as const },
    // after the style that the first paint waits for
    fetchPriority: 'low' as const,
  })),
];

const headScript =
  configureZodScript +
  themeScript +
  applySessionScript +
  applyFrameScript +
  applySeasonScript +
  earlyFilesScript;

export function Layout({ children }: { children: ReactNode }) {
  // buttons pressed before the app had loaded wait for this (start/keep-press.ts)
  useEffect(() => void dispatchEvent(new Event('inkproof:alive')), []);
  return (
    // the script in the head sets data-theme, data-session, data-signing-in, data-frame and data-season
    <html lang="en" suppressHydrationWarning>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        {/* the server writes the API's origin here if it differs from this page's */}
        <meta name="api-url" content="" suppressHydrationWarning />
        {/* and here the facts of this installation */}
        <meta name="site-facts" content="" suppressHydrationWarning />
        <meta name="color-scheme" content="light dark" />
        <Meta />
        <Links />
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: constants of ours; must run before first paint */}
        <script dangerouslySetInnerHTML={{ __html: headScript }} />
      </head>
      <body>
        {children}
        <StartScripts />
      </body>
    </html>
  );
}

export default function App() {
  return <Outlet />;
}

/** Every address that is not prerendered starts with this; the server sets `data-missing` if there is nothing. */
export function HydrateFallback() {
  return (
    <>
      <noscript>
        <main className="hidden missing:block">
          <ErrorScreen isMissing />
        </main>
        <main className="mx-auto grid min-h-[70dvh] max-w-6xl content-center gap-4 px-4 sm:px-6 missing:hidden">
          <h1 className="font-serif text-4xl font-medium">This page needs JavaScript.</h1>
          <p className="text-graphite">
            The public pages work without it:{' '}
            <a href="/" className="underline">
              go to the front page
            </a>
            .
          </p>
        </main>
      </noscript>
      <div className="noscript:hidden">
        <LoadingFrame />
      </div>
    </>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <ErrorScreen isMissing={isMissing(error)} />;
}
