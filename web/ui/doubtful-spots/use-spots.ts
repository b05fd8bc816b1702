/** Checking doubtful spots one after the other: which is current, which were decided, in which order. */
import { useRef, useState } from 'react';
import { type DoubtfulSpot, orderSpots, type SpotOrder } from '#web/lib/doubtful-spots.ts';
import { useStoredChoice } from '#web/lib/hooks/use-stored-choice.ts';
import type { SpotText } from './spot-text.ts';

interface SpotsOptions {
  /** Those left to check, in document order. */
  spots: DoubtfulSpot[];
  checked: number;
  /** The source; null until it is mounted. */
  text: SpotText | null;
  /** Shows a spot in the source. */
  onShow: (spot: DoubtfulSpot) => void;
  /** It is decided: it is no longer a spot. */
  onConfirm: (id: number) => void;
  /** The decision is undone: it is a spot again, at this place. */
  onRestore: (spot: DoubtfulSpot) => void;
}

interface Decision {
  spot: DoubtfulSpot;
  /** Its text before, and as decided. */
  from: string;
  to: string;
}

export interface SpotsToCheck {
  spots: DoubtfulSpot[];
  checked: number;
  /** Null while none is being checked. */
  current: DoubtfulSpot | null;
  /** The text of the current spot. */
  reading: string;
  /** It is within a formula. */
  isMaths: boolean;
  isReadOnly: boolean;
  order: SpotOrder;
  setOrder: (order: SpotOrder) => void;
  goTo: (spot: DoubtfulSpot | undefined) => void;
  /** After the last comes the first. */
  go: (step: 1 | -1) => void;
  /** Decides the current spot and goes to the next: it is confirmed, or replaced by this LaTeX. */
  decide: (latex: string | null) => void;
  close: () => void;
  /** Undoes the last decision; absent if there is none. */
  undo: (() => void) | undefined;
  /** The card should take the focus, once. */
  wantsFocus: { current: boolean };
  /** Starts or continues checking, with the focus in the card. */
  open: () => void;
}

export function useSpots({ spots, checked, text, onShow, onConfirm, onRestore }: SpotsOptions): SpotsToCheck {
  const [currentId, setCurrentId] = useState<number | null>(null);
  const [decisions, setDecisions] = useState<readonly Decision[]>([]);
  const [isLeastSure, keepLeastSure] = useStoredChoice('inkproof.least-sure-first');
  const wantsFocus = useRef(false);
  const [, drawAgain] = useState(0);
  const lastId = useRef<number | null>(null);
  const order = isLeastSure ? 'least-sure' : 'document';
  const ordered = orderSpots(spots, order);
  const index = ordered.findIndex(({ id }) => id === currentId);
  const current = ordered[index] ?? null;

  /** At its position in the current text. */
  const locate = (spot: DoubtfulSpot) => (text ? text.locate(spot.id) : spot);
  const goTo = (spot: DoubtfulSpot | undefined) => {
    setCurrentId(spot?.id ?? null);
    if (!spot) return;
    lastId.current = spot.id;
    onShow(locate(spot) ?? spot);
  };
  const go = (step: 1 | -1) => {
    const from = index < 0 && step < 0 ? 0 : index;
    goTo(ordered[(from + step + ordered.length) % ordered.length]);
  };
  const place = current && text?.locate(current.id);
  const last = decisions.at(-1);
  return {
    spots,
    checked,
    current,
    reading: place && text ? text.read(place.start, place.end) : '',
    isMaths: !!place && !!text?.isMaths(place),
    isReadOnly: text?.isReadOnly() ?? true,
    order,
    setOrder: (next) => keepLeastSure(next === 'least-sure'),
    goTo,
    go,
    decide: (latex) => {
      const spot = current && locate(current);
      if (!text || !spot) return;
      const from = text.read(spot.start, spot.end);
      const to = text.isReadOnly() ? from : (latex ?? from);
      const next = ordered[index + 1] ?? ordered.find(({ id }) => id !== spot.id);
      text.decide(spot, to);
      setDecisions([...decisions, { spot, from, to }]);
      onConfirm(spot.id);
      goTo(next);
    },
    close: () => setCurrentId(null),
    undo:
      last && text && !text.isReadOnly()
        ? () => {
            setDecisions(decisions.slice(0, -1));
            const found = text.findDecided(last.spot.id);
            if (!found) return;
            // text edited again since then stays as it is
            const isAsDecided = text.read(found.start, found.end) === last.to;
            const spot = { ...last.spot, ...found };
            if (isAsDecided) {
              text.decide(spot, last.from);
              spot.end = found.start + last.from.length;
            }
            onRestore(spot);
            wantsFocus.current = true;
            setCurrentId(spot.id);
            lastId.current = spot.id;
            onShow(spot);
          }
        : undefined,
    wantsFocus,
    open: () => {
      wantsFocus.current = true;
      drawAgain((count) => count + 1);
      if (!current) goTo(ordered.find(({ id }) => id === lastId.current) ?? ordered[0]);
    },
  };
}

/** `7 of 20 checked` */
export function progressOf({ checked, spots }: Pick<SpotsToCheck, 'checked' | 'spots'>): string {
  return `${checked} of ${checked + spots.length} checked`;
}
