import { useState } from 'react';
import { useMediaQuery } from '#web/lib/use-media-query.ts';

const storageKey = 'inkproof.pdf-side';

/** Whether the small pages are shown: as somebody wished in this browser, else where there is room and more than one page. */
export function useSideWish(pageCount: number): { isOpen: boolean; toggle: () => void } {
  const hasRoom = useMediaQuery('(min-width: 1024px)');
  const [wish, setWish] = useState(readWish);
  // over the pages it is opened to choose one, not for good
  const [isOver, setIsOver] = useState(false);
  const isOpen = hasRoom ? (wish ?? pageCount > 1) : isOver;
  return {
    isOpen,
    toggle() {
      if (!hasRoom) return setIsOver(!isOpen);
      setWish(!isOpen);
      try {
        localStorage.setItem(storageKey, isOpen ? 'off' : 'on');
      } catch {
        // storage is forbidden: it holds for this page
      }
    },
  };
}

function readWish(): boolean | null {
  try {
    const kept = localStorage.getItem(storageKey);
    return kept === null ? null : kept === 'on';
  } catch {
    return null;
  }
}
