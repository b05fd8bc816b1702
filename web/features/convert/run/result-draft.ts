/** The user's changes to a result: its edited text, and the doubtful spots that were decided. */
import { type DoubtfulSpot, moveSpots, orderSpots } from '../../../lib/doubtful-spots.ts';
import type { ConverterAction, Draft } from './converter-actions.ts';

interface Spots {
  /** The spots left to check. */
  spots: DoubtfulSpot[];
  checked: number;
}

/** Restores a stored draft; of spots whose delivery has been replaced, those whose words still exist. */
export function putDraft(
  {
    latex: delivered,
    deliveredLatex,
    spots,
  }: Spots & { latex: string | null; deliveredLatex: string | null },
  draft: Draft,
): Spots & { latex: string | null } {
  const latex = draft.latex ?? delivered;
  if (draft.deliveredLength !== deliveredLatex?.length)
    return { latex, spots: moveSpots(spots, delivered ?? '', latex ?? ''), checked: 0 };
  // one written by an earlier release has neither
  const complete = draft.spots.map((spot) => ({ ...{ confidence: null, alternatives: [] }, ...spot }));
  return { latex, spots: complete, checked: draft.checked ?? 0 };
}

export function decideSpot(
  { spots, checked }: Spots,
  action: Extract<ConverterAction, { type: 'spotConfirmed' | 'spotRestored' }>,
): Spots {
  return action.type === 'spotConfirmed'
    ? { spots: spots.filter(({ id }) => id !== action.id), checked: checked + 1 }
    : { spots: orderSpots([...spots, action.spot], 'document'), checked: Math.max(0, checked - 1) };
}
