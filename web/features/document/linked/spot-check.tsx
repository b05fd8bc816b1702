import type { EditorView } from '@codemirror/view';
import { useMemo } from 'react';
import type { SavedDocument } from '#shared/api/library.ts';
import { getPageImage } from '#web/lib/api/document-api.ts';
import { findInkOf } from '#web/lib/doubtful-spots.ts';
import { SpotBar } from '#web/ui/doubtful-spots/spot-bar.tsx';
import { SpotInk } from '#web/ui/doubtful-spots/spot-ink.tsx';
import { findPlaces } from './source-places.ts';
import type { useDoubts } from './use-doubts.ts';

interface SpotCheckProps {
  document: SavedDocument;
  view: EditorView | null;
  doubts: ReturnType<typeof useDoubts>;
}

/** The card in which doubtful spots are checked; nothing if there are none. */
export function SpotCheck({ document, view, doubts }: SpotCheckProps) {
  const { check, editFormula } = doubts;
  const spot = check.current;
  // its ink is known once it is selected; there are images only if they were kept
  const ink = useMemo(
    () =>
      view && spot && document.pages.some(({ number }) => number === spot.page)
        ? findInkOf(spot, findPlaces(view.state, spot.start, spot.end))
        : null,
    [view, spot, document.pages],
  );
  if (check.spots.length === 0 && !check.undo) return null;
  return (
    <SpotBar
      check={check}
      onEditFormula={editFormula}
      onLeave={() => view?.focus()}
      ink={
        spot &&
        ink && (
          <SpotInk
            page={spot.page}
            box={ink}
            fetchPicture={async (number, signal) => {
              const answer = await getPageImage(document.id, number, signal);
              return answer.ok ? answer.data : null;
            }}
          />
        )
      }
    />
  );
}
