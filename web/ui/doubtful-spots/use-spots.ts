import { useState } from 'react';
import type { DoubtfulSpot } from '#web/lib/doubtful-spots.ts';

interface SpotsOptions {
  spots: DoubtfulSpot[];
  onShow: (spot: DoubtfulSpot) => void;
  onConfirm: (id: number) => void;
}

/** Tracks the selected doubtful spot; after the last comes the first. */
export function useSpots({ spots, onShow, onConfirm }: SpotsOptions) {
  const [currentId, setCurrentId] = useState<number | null>(null);
  const index = spots.findIndex((spot) => spot.id === currentId);
  const goTo = (spot: DoubtfulSpot | undefined) => {
    setCurrentId(spot?.id ?? null);
    if (spot) onShow(spot);
  };
  return {
    current: spots[index] ?? null,
    goTo,
    go: (step: 1 | -1) => {
      const from = index < 0 && step < 0 ? 0 : index;
      goTo(spots[(from + step + spots.length) % spots.length]);
    },
    /** Removes the spot from the list and selects the next. */
    confirm: (spot: DoubtfulSpot) => {
      const at = spots.indexOf(spot);
      const next = spots[at + 1] ?? spots[at - 1];
      onConfirm(spot.id);
      goTo(next);
    },
  };
}
