import { useState } from 'react';
import { useKeptWish } from '#web/lib/hooks/use-kept-wish.ts';
import { useMediaQuery } from '#web/lib/hooks/use-media-query.ts';

/** Whether the small pages are shown: as somebody wished in this browser, else where there is room and more than one page. */
export function useSideWish(pageCount: number): { isOpen: boolean; toggle: () => void } {
  const hasRoom = useMediaQuery('(min-width: 1024px)');
  const [wish, setWish] = useKeptWish('inkproof.pdf-side');
  // over the pages it is opened to choose one, not for good
  const [isOver, setIsOver] = useState(false);
  const isOpen = hasRoom ? (wish ?? pageCount > 1) : isOver;
  return {
    isOpen,
    toggle() {
      if (hasRoom) setWish(!isOpen);
      else setIsOver(!isOpen);
    },
  };
}
