import { type RefObject, useEffect, useRef } from 'react';
import type { PdfControls, StageView } from '#web/ui/pdf-viewer/pdf-stage.ts';

/** Returns to the last page viewed at this address, in this tab: after a reload, and on navigating back. */
export function useLastPage(view: StageView | null, controls: RefObject<PdfControls | null>): void {
  const key = useRef(`inkproof.pdf-page.${location.pathname}`).current;
  const hasBegun = useRef(false);
  const page = view?.page ?? null;
  useEffect(() => {
    if (page === null) return;
    try {
      if (hasBegun.current) return sessionStorage.setItem(key, String(page));
      hasBegun.current = true;
      const stored = Number(sessionStorage.getItem(key));
      if (stored > 1) controls.current?.goTo(stored);
    } catch {
      // storage may be blocked: then it starts at the first page
    }
  }, [page, key, controls]);
}
