import { type RefObject, useEffect, useRef } from 'react';
import type { PdfControls, StageView } from '#web/ui/pdf-viewer/pdf-stage.ts';

/** Returns to the last page viewed at this address, in this tab: after a reload, and on navigating back. */
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
      // storage may be blocked: then it starts at the first page
    }
  }, [page, key, controls]);
}
