import { useState } from 'react';
import { useKeptWish } from '#web/lib/hooks/use-kept-wish.ts';
import { useMediaQuery } from '#web/lib/hooks/use-media-query.ts';

/**
 * Whether the page stands beside the source. Where there is room for ink, source and page, it does. Where there is room
 * for two of the three, it takes the ink's place, unless something is left to be checked against the ink. Whoever says
 * otherwise is remembered.
 */
export function useBeside(isSource: boolean, hasSpots: boolean) {
  const hasRoom = useMediaQuery('(min-width: 1024px)');
  const hasRoomForAll = useMediaQuery('(min-width: 1536px)');
  const [wish, setWish] = useKeptWish('inkproof.page-beside');
  // decided when the source is opened: the last spot confirmed must not move the panes
  const [hadSpots, setHadSpots] = useState(hasSpots);
  const isWanted = wish ?? (hasRoomForAll || !hadSpots);
  return {
    hasRoom,
    isBeside: isSource && hasRoom && isWanted,
    decide: () => setHadSpots(hasSpots),
    toggle: () => setWish(!isWanted),
  };
}
