import { type RefObject, useEffect, useRef } from 'react';
import type { PdfControls, StageView } from '#web/ui/pdf-viewer/pdf-stage.ts';

/** Comes back to the page that was looked at last at this address, in this tab: after a reload, and on the way back. */
export function useKeptPage(view: StageView | null, controls: RefObject<PdfControls | null>): void {
  const key = useRef(`inkproof.pdf-page.${location.pathname}`).current;
  const hasBegun = useRef(false);
  const page = view?.page ?? null;
  useEffect(() => {
    if (page === null) return;
    try {
      if (hasBegun.current) return sessionStorage.setItem(key, String(page));
      hasBegun.current = true;
      const kept = Number(sessionStorage.getItem(key));
      if (kept > 1) controls.current?.goTo(kept);
    } catch {
      // storage may be forbidden: then it begins at its first page
    }
  }, [page, key, controls]);
}
