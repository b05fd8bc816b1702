import { unifiedMergeView } from '@codemirror/merge';
import { EditorState } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { Dialog } from 'radix-ui';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useMediaQuery } from '#web/lib/hooks/use-media-query.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { showCompared } from '#web/ui/source-editor/comparison.ts';
import { mergeTexts } from '../merge-texts.ts';
import type { TextConflict } from '../saver.ts';
import { ConflictCard } from './conflict-card.tsx';
import { choose, conflictPlaces, layOut, type Place, showPlace } from './conflict-places.ts';

interface MergeScreenProps {
  conflict: TextConflict;
  /** The editor's text. */
  mine: string;
  onResolve: (latex: string) => void;
  /** Postpones the decision; nothing is lost. */
  onLater: () => void;
}

/** Merges two versions of a text: the user chooses a side for each conflict, and may edit the result. */
export function MergeScreen({ conflict, mine, onResolve, onLater }: MergeScreenProps) {
  const start = useMemo(
    () => layOut(mergeTexts(conflict.base.latex, mine, conflict.theirs.latex)),
    [conflict, mine],
  );
  const [places, setPlaces] = useState<readonly Place[]>(start.places);
  const isWide = useMediaQuery('(min-width: 64rem)');
  const wide = useRef(isWide);
  wide.current = isWide;
  // the dialog mounts it later than this component
  const [frame, setFrame] = useState<HTMLDivElement | null>(null);
  const [view, setView] = useState<EditorView | null>(null);

  useEffect(() => {
    if (!frame) return;
    setPlaces(start.places);
    const editor = new EditorView({
      parent: frame,
      state: EditorState.create({
        doc: start.text,
        extensions: [
          showCompared({ label: 'Result', isEditable: true }),
          conflictPlaces(start.places, setPlaces),
          unifiedMergeView({
            original: conflict.theirs.latex.replace(/\r\n?/g, '\n'),
            mergeControls: false,
            gutter: false,
            syntaxHighlightDeletions: false,
          }),
        ],
      }),
    });
    setView(editor);
    const first = start.places[0];
    // if the result is below, this would scroll the question out of view
    if (first && wide.current)
      editor.dispatch({ effects: EditorView.scrollIntoView(first.from, { y: 'center' }) });
    return () => {
      setView(null);
      editor.destroy();
    };
  }, [frame, start, conflict.theirs.latex]);

  const chosen = places.filter((place) => place.choice !== null).length;
  const isDone = chosen === places.length;
  const lineOf = (place: Place | undefined) =>
    view && place ? view.state.doc.lineAt(Math.min(place.from, view.state.doc.length)).number : 1;
  const { title, text } = explain(conflict, start.conflicts.length);

  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onLater()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-appear bg-[oklch(0.15_0.02_266/0.45)]" />
        <Dialog.Content
          onPointerDownOutside={(event) => event.preventDefault()}
          className="fixed inset-0 z-50 flex animate-appear flex-col bg-paper outline-none sm:inset-4 sm:rounded-2xl sm:border sm:border-hairline lg:inset-x-[max(1rem,calc(50vw-45rem))] lg:inset-y-8"
        >
          <header className="border-b border-hairline px-4 py-4 sm:px-6">
            <Dialog.Title className="font-serif text-[1.375rem] leading-tight font-medium sm:text-2xl">
              {title}
            </Dialog.Title>
            <Dialog.Description className="mt-1 max-w-[47.5em] text-sm text-graphite">
              {text}
            </Dialog.Description>
          </header>
          <div className="grid min-h-0 flex-1 grid-cols-[minmax(0,1fr)] content-start gap-4 overflow-y-auto p-4 sm:p-6 lg:grid-cols-[24rem_minmax(0,1fr)] lg:grid-rows-[minmax(0,1fr)] lg:overflow-hidden">
            {start.conflicts.length > 0 && (
              <ol
                aria-label="Conflicting changes"
                className="grid content-start gap-3 lg:-mr-2 lg:overflow-y-auto lg:pr-2"
              >
                {start.conflicts.map((one, at) => (
                  <ConflictCard
                    // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes while it is shown
                    key={at}
                    number={at + 1}
                    total={start.conflicts.length}
                    conflict={one}
                    line={lineOf(places[at])}
                    choice={places[at]?.choice ?? null}
                    onChoose={(side) => {
                      if (!view) return;
                      view.dispatch(choose(view.state, at, one, side));
                      // if the result is below, this would scroll the choice out of view
                      if (isWide) showPlace(view, at);
                    }}
                    onShow={() => view && showPlace(view, at)}
                  />
                ))}
              </ol>
            )}
            <section
              aria-label="Result"
              className="flex min-h-[24rem] min-w-0 flex-col overflow-hidden rounded-xl border border-hairline bg-page lg:min-h-0 lg:only:col-span-2"
            >
              <div className="flex flex-wrap items-baseline gap-x-3 border-b border-hairline px-4 py-2.5">
                <h3 className="text-sm font-medium">Result</h3>
                <p className="text-[0.8125rem] text-graphite">
                  Edit it as you like. Differences from the saved text are marked.
                </p>
              </div>
              <div ref={setFrame} className="min-h-0 flex-1 overflow-hidden" />
            </section>
          </div>
          <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-hairline px-4 py-3 sm:px-6">
            <p aria-live="polite" className="mr-auto text-sm text-graphite tabular-nums">
              {start.conflicts.length > 0 && `${chosen} of ${start.conflicts.length} chosen`}
            </p>
            <Button onClick={onLater}>Decide later</Button>
            <Button
              variant="primary"
              disabled={!isDone}
              onClick={() => view && onResolve(view.state.doc.toString())}
            >
              Save the result
            </Button>
          </footer>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function explain({ isFound }: TextConflict, places: number): { title: string; text: string } {
  const title = isFound ? 'Changes from this device were not saved yet' : 'Changed in two places at once';
  const since = isFound
    ? 'The document has been changed elsewhere since.'
    : 'This text was also changed in another tab or on another device.';
  const what =
    places > 0
      ? 'Choose what to keep where both changed the same words; everything else has been merged.'
      : 'Both texts could be merged: the result has the changes of both.';
  return { title, text: `${since} Nothing has been overwritten. ${what}` };
}
