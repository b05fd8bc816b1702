import type { EditorView } from '@codemirror/view';
import { Eraser, Undo2, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { InkCandidate } from '#shared/api/ink.ts';
import { cn } from '#web/ui/cn.ts';
import { IconButton } from '#web/ui/controls/button.tsx';
import { Spinner } from '#web/ui/controls/loading.tsx';
import { Formula } from '#web/ui/formula.tsx';
import { command } from '../extensions/formatting.ts';
import { inkReading } from '../extensions/surroundings.ts';
import { InkCanvas } from './ink-canvas.tsx';
import { insertInk } from './insert-ink.ts';
import { type Stroke, thin } from './strokes.ts';

interface PadDialogProps {
  view: EditorView;
  onClose: () => void;
}

type Kind = 'formula' | 'text';
const kinds: Record<Kind, string> = { formula: 'Formula', text: 'Text' };
const kindKey = 'inkproof.pad';

/** How long the pen must rest before its ink is read, ms. */
const restMs = 400;

type Reading =
  | { state: 'idle' }
  | { state: 'reading'; candidates: readonly InkCandidate[] }
  | { state: 'read'; candidates: readonly InkCandidate[] }
  | { state: 'failed'; problem: string };

/** A pad: a formula or a line is drawn with pen, finger or mouse, and becomes LaTeX at the cursor. */
export function PadDialog({ view, onClose }: PadDialogProps) {
  const [strokes, setStrokes] = useState<readonly Stroke[]>([]);
  const [kind, setKind] = useState<Kind>(() =>
    localStorage.getItem(kindKey) === 'text' ? 'text' : 'formula',
  );
  const reading = useReading(view, strokes, kind);
  const candidates = 'candidates' in reading ? reading.candidates : [];

  const choose = (kind: Kind) => {
    setKind(kind);
    localStorage.setItem(kindKey, kind);
  };
  const take = (candidate: InkCandidate | undefined) => {
    if (!candidate) return;
    command((state) => insertInk(state, candidate.latex, kind))(view);
    onClose();
  };
  const undo = () => setStrokes((drawn) => drawn.slice(0, -1));
  const handleKey = (event: KeyboardEvent) => {
    const isUndo = event.key === 'z' && (event.ctrlKey || event.metaKey);
    const chosen = /^[1-5]$/.test(event.key) ? candidates[Number(event.key) - 1] : undefined;
    const isOnButton = event.target instanceof HTMLButtonElement;
    if (isUndo) undo();
    else if (chosen) take(chosen);
    else if (event.key === 'Enter' && !isOnButton && reading.state === 'read') take(candidates[0]);
    else return;
    event.preventDefault();
  };

  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-appear bg-[oklch(0.15_0.02_266/0.45)]" />
        <Dialog.Content
          onKeyDown={handleKey}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            (event.currentTarget as HTMLElement).focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            view.focus();
          }}
          // a click outside loses no ink
          onInteractOutside={(event) => event.preventDefault()}
          className="fixed z-50 flex max-h-[calc(100dvh-0.75rem)] animate-appear flex-col border border-hairline bg-page shadow-[0_24px_64px_-16px_oklch(0.2_0.04_266/0.35)] outline-none max-sm:inset-x-0 max-sm:bottom-0 max-sm:rounded-t-2xl sm:top-1/2 sm:left-1/2 sm:w-[min(54rem,calc(100vw-1.5rem))] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-2xl"
        >
          <header className="flex items-center gap-2 py-3 pr-2 pl-4 sm:pl-6">
            <Dialog.Title className="flex-1 font-serif text-xl font-medium tracking-tight">
              Write by hand
            </Dialog.Title>
            <fieldset className="flex rounded-lg border border-hairline bg-paper p-0.5 text-[0.8125rem]">
              <legend className="sr-only">What you are drawing</legend>
              {(Object.keys(kinds) as Kind[]).map((name) => (
                <label
                  key={name}
                  className={cn(
                    'flex min-h-8 cursor-pointer items-center rounded-md px-3 has-focus-visible:outline-2 outline-(--focus) pointer-coarse:min-h-11',
                    name === kind ? 'bg-wash font-medium' : 'text-graphite',
                  )}
                >
                  <input
                    type="radio"
                    name="ink-kind"
                    className="sr-only"
                    checked={name === kind}
                    onChange={() => choose(name)}
                  />
                  {kinds[name]}
                </label>
              ))}
            </fieldset>
            <Dialog.Close asChild>
              <IconButton size="small" label="Close">
                <X />
              </IconButton>
            </Dialog.Close>
          </header>
          <Dialog.Description className="sr-only">
            Draw one line with a pen, a finger or the mouse. Without a pointer, type LaTeX, or choose from the
            symbols below the source.
          </Dialog.Description>
          {/* of a fixed height: the drawing must not move when it is read */}
          <div className="grid gap-3 px-4 pb-4 sm:grid-cols-[minmax(0,1fr)_17rem] sm:gap-5 sm:px-6 sm:pb-6">
            <div className="relative min-w-0">
              <InkCanvas strokes={strokes} onChange={setStrokes} />
              {strokes.length === 0 && (
                <p className="pointer-events-none absolute inset-0 grid place-items-center text-graphite">
                  {kind === 'formula' ? 'Draw a formula or a symbol' : 'Write a line of text'}
                </p>
              )}
              <div className="absolute right-1 bottom-1 flex">
                <IconButton
                  size="small"
                  label="Undo the last stroke"
                  disabled={strokes.length === 0}
                  onClick={undo}
                >
                  <Undo2 />
                </IconButton>
                <IconButton
                  size="small"
                  label="Erase all"
                  disabled={strokes.length === 0}
                  onClick={() => setStrokes([])}
                >
                  <Eraser />
                </IconButton>
              </div>
            </div>
            <Candidates reading={reading} kind={kind} hasInk={strokes.length > 0} onInsert={take} />
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

interface CandidatesProps {
  reading: Reading;
  kind: Kind;
  hasInk: boolean;
  onInsert: (candidate: InkCandidate) => void;
}

function Candidates({ reading, kind, hasInk, onInsert }: CandidatesProps) {
  const candidates = 'candidates' in reading ? reading.candidates : [];
  const [best] = candidates;
  const isEmpty = reading.state === 'read' && candidates.length === 0;
  return (
    <div className="flex h-[16.5rem] min-h-0 flex-col sm:h-80">
      <p role="status" className="flex min-h-6 shrink-0 items-center gap-2 text-[0.8125rem] text-graphite">
        {reading.state === 'reading' && <Spinner className="size-3.5" />}
        {reading.state === 'failed'
          ? reading.problem
          : isEmpty
            ? 'This could not be read. Write larger, on one line.'
            : best && reading.state === 'read'
              ? 'Choose one; Enter takes the first.'
              : hasInk
                ? 'Reading'
                : 'Read on this server; nothing is stored.'}
      </p>
      <ul
        aria-label="Possible readings"
        className={cn(
          'mt-2 grid min-h-0 gap-1 overflow-y-auto transition-opacity',
          reading.state === 'reading' && 'opacity-50',
        )}
      >
        {candidates.map((candidate, index) => (
          <li key={candidate.latex}>
            <button
              type="button"
              aria-label={`${index + 1}: ${candidate.latex}`}
              onClick={() => onInsert(candidate)}
              className={cn(
                'flex min-h-11 w-full items-center gap-3 rounded-lg px-3 py-1 text-left outline-offset-[-2px] hover:bg-wash',
                index === 0 && 'bg-wash',
              )}
            >
              <kbd className="w-3 shrink-0 font-mono text-xs text-graphite pointer-coarse:hidden">
                {index + 1}
              </kbd>
              <span className="min-w-0 flex-1 overflow-hidden">
                {kind === 'formula' ? (
                  <Formula tex={candidate.latex} isDisplay={false} />
                ) : (
                  <span className="font-serif">{candidate.latex}</span>
                )}
              </span>
              {kind === 'formula' && (
                <code className="max-w-[45%] truncate font-mono text-xs text-graphite">
                  {candidate.latex}
                </code>
              )}
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The readings of the ink, a moment after the pen rests; a newer drawing cancels an earlier reading. */
function useReading(view: EditorView, strokes: readonly Stroke[], kind: Kind): Reading {
  const [reading, setReading] = useState<Reading>({ state: 'idle' });
  const read = useRef(view.state.facet(inkReading));
  useEffect(() => {
    const ask = read.current;
    if (strokes.length === 0 || !ask) return setReading({ state: 'idle' });
    const leaving = new AbortController();
    setReading((last) => ({ state: 'reading', candidates: 'candidates' in last ? last.candidates : [] }));
    const timer = setTimeout(() => {
      ask({ strokes: thin(strokes), kind }, leaving.signal).then(
        (answer) =>
          leaving.signal.aborted ||
          setReading(
            'problem' in answer
              ? { state: 'failed', problem: answer.problem }
              : { state: 'read', candidates: answer.candidates },
          ),
        () => undefined,
      );
    }, restMs);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [strokes, kind]);
  return reading;
}
