import type { ReactNode } from 'react';
import { Footer } from './footer.tsx';
import { Header } from './header/header.tsx';

interface SiteFrameProps {
  /** The page fills the window instead of keeping to the text width. */
  isWide: boolean;
  /** The header closes its menu whenever this changes. */
  place: string;
  children: ReactNode;
}

/** Header, page, footer. */
export function SiteFrame({ isWide, place, children }: SiteFrameProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <SkipLink />
      <Header key={place} isWide={isWide} />
      <main id="content" tabIndex={-1} className="flex-1 outline-none">
        {children}
      </main>
      <Footer isWide={isWide} />
    </div>
  );
}

/** The first tab stop: skips the header, to `#content`. */
export function SkipLink() {
  return (
    <a
      href="#content"
      className="sr-only z-50 rounded-lg bg-ink px-4 py-3 text-paper focus:not-sr-only focus:fixed focus:top-2 focus:left-2"
    >
      Skip to content
    </a>
  );
}
