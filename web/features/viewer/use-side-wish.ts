import { useState } from 'react';
import { useKeptWish } from '#web/lib/hooks/use-kept-wish.ts';
import { useMediaQuery } from '#web/lib/hooks/use-media-query.ts';

/**
 * Whether thumbnails are shown: the user's last choice in this browser, or else if there is room and more than one
 * page.
 */
export function useSideWish(pageCount: number): { isOpen: boolean; toggle: () => void } {
  const hasRoom = useMediaQuery('(min-width: 1024px)');
  const [wish, setWish] = useKeptWish('inkproof.pdf-side');
  // when it covers the pages, it is opened to choose one, and not remembered
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
