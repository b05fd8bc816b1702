import { useState } from 'react';
import { useMediaQuery } from '#web/lib/hooks/use-media-query.ts';
import { useStoredChoice } from '#web/lib/hooks/use-stored-choice.ts';

/**
 * Whether the page is shown next to the source. With room for ink, source and page, it is. With room for two of the
 * three, it replaces the ink, unless spots are left to check against the ink. The user's own choice is remembered.
 */
export function useSideBySide(isSource: boolean, hasSpots: boolean) {
  const hasRoom = useMediaQuery('(min-width: 1024px)');
  const hasRoomForAll = useMediaQuery('(min-width: 1536px)');
  const [choice, setChoice] = useStoredChoice('inkproof.page-beside');
  // decided when the source is opened: confirming the last spot must not move the panes
  const [hadSpots, setHadSpots] = useState(hasSpots);
  const isWanted = choice ?? (hasRoomForAll || !hadSpots);
  return {
    hasRoom,
    isSideBySide: isSource && hasRoom && isWanted,
    decide: () => setHadSpots(hasSpots),
    toggle: () => setChoice(!isWanted),
  };
}
