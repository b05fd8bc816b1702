import { useState } from 'react';
import { useMediaQuery } from '#web/lib/hooks/use-media-query.ts';
import { useStoredChoice } from '#web/lib/hooks/use-stored-choice.ts';

/**
 * Whether thumbnails are shown: the user's last choice in this browser, or else if there is room and more than one
 * page.
 */
export function useSidePanel(pageCount: number): { isOpen: boolean; toggle: () => void } {
  const hasRoom = useMediaQuery('(min-width: 1024px)');
  const [choice, setChoice] = useStoredChoice('inkproof.pdf-side');
  // when it covers the pages, it is opened to choose one, and not remembered
  const [isOver, setIsOver] = useState(false);
  const isOpen = hasRoom ? (choice ?? pageCount > 1) : isOver;
  return {
    isOpen,
    toggle() {
      if (hasRoom) setChoice(!isOpen);
      else setIsOver(!isOpen);
    },
  };
}
