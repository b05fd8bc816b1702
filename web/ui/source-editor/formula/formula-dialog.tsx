import type { EditorView } from '@codemirror/view';
import { Dialog } from 'radix-ui';
import { useEffect, useRef, useState } from 'react';
import { Button } from '#web/ui/controls/button.tsx';
import { command } from '../extensions/formatting.ts';
import { getStructure } from '../lines/structure.ts';
import { watchUpdates } from '../panels/use-view.ts';
import { dress, findFormulaSource, replaceFormula, undress } from './formula-source.ts';
import { keepWritten } from './keep-written.ts';
import { type Field, openField, placeKeyboard } from './mathlive.ts';

interface FormulaDialogProps {
  view: EditorView;
  /** An offset in the formula. */
  at: number;
  onClose: () => void;
}

/** Edits a formula visually: by keyboard, by touch with keys on the screen, by a screen reader. */
export function FormulaDialog({ view, at, onClose }: FormulaDialogProps) {
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-appear bg-[oklch(0.15_0.02_266/0.45)]" />
        <Dialog.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            (event.currentTarget as HTMLElement).querySelector<HTMLElement>('math-field')?.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            view.focus();
          }}
          // a click outside loses nothing
          onInteractOutside={(event) => event.preventDefault()}
          className="formula-dialog fixed top-1/2 left-1/2 z-50 flex max-h-[calc(100dvh-1.5rem)] w-[min(46rem,calc(100vw-1.5rem))] -translate-x-1/2 -translate-y-1/2 animate-appear flex-col rounded-2xl border border-hairline bg-page shadow-[0_24px_64px_-16px_oklch(0.2_0.04_266/0.35)] outline-none"
        >
          <FormulaField view={view} at={at} onClose={onClose} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Inside the dialog, so that its element exists when its effects run. */
function FormulaField({ view, at, onClose }: FormulaDialogProps) {
  const [source] = useState(() => findFormulaSource(view.state, at));
  const [latex, setLatex] = useState(source.written);
  const [hasUnknown, setHasUnknown] = useState(false);
  const place = useRef<HTMLDivElement>(null);
  const keys = useRef<HTMLDivElement>(null);
  const field = useRef<Field | null>(null);
  const before = useRef('');
  const stretch = useRef({ from: source.from, to: source.to });
  const apply = useRef(() => {});

  useEffect(() => {
    if (!place.current || !keys.current) return;
    const opened = openField(place.current, {
      latex: dress(source, source.written),
      macros: getStructure(view.state).macros,
    });
    field.current = opened;
    const forget = placeKeyboard(keys.current);
    before.current = opened.read();
    setHasUnknown(opened.element.errors.some(({ code }) => code === 'unknown-command'));
    const handleInput = () => setLatex(makeLatex(opened, before.current, source));
    const handleKey = (event: KeyboardEvent) => {
      // within a matrix and the like, Enter is MathLive's
      const isDone = event.key === 'Enter' && (event.ctrlKey || event.metaKey);
      if (!isDone) return;
      event.preventDefault();
      event.stopPropagation();
      apply.current();
    };
    opened.element.addEventListener('input', handleInput);
    opened.element.addEventListener('keydown', handleKey, true);
    opened.element.focus();
    // at its end, within the rows if it has any
    opened.element.position = opened.element.lastOffset;
    if (source.shell.open) opened.element.executeCommand('moveToPreviousChar');
    return () => {
      forget();
      opened.element.remove();
    };
  }, [view, source]);

  // the text can change below the dialog: merged from elsewhere, for example
  useEffect(
    () =>
      watchUpdates(view, ({ changes }) => {
        const { from, to } = stretch.current;
        stretch.current = {
          from: changes.mapPos(from, 1),
          to: Math.max(changes.mapPos(from, 1), changes.mapPos(to, -1)),
        };
      }),
    [view],
  );

  apply.current = () => {
    const opened = field.current;
    if (!opened) return;
    const made = makeLatex(opened, before.current, source);
    // as MathLive writes it, if keeping the author's spelling would make it a different formula
    const wanted = opened.isSame(dress(source, made)) ? made : undress(source, opened.read());
    command(() => replaceFormula({ ...source, ...stretch.current }, wanted))(view);
    onClose();
  };

  return (
    <>
      <div className="min-h-0 overflow-y-auto p-6">
        <Dialog.Title className="font-serif text-[1.625rem] leading-tight font-medium tracking-tight">
          {source.isNew ? 'New formula' : 'Formula'}
        </Dialog.Title>
        <div ref={place} className="mt-5" />
        {hasUnknown && (
          <p className="mt-3 text-sm text-graphite">
            Commands the editor doesn’t know are shown by name and kept as they are.
          </p>
        )}
        <p className="mt-4 text-xs text-graphite">LaTeX</p>
        <pre className="mt-1 max-h-28 min-h-9 overflow-auto font-mono text-[0.8125rem] whitespace-pre-wrap text-graphite">
          {latex || ' '}
        </pre>
      </div>
      <div className="flex shrink-0 flex-wrap justify-end gap-2 border-t border-hairline px-6 py-4">
        <Dialog.Close asChild>
          <Button variant="quiet">Cancel</Button>
        </Dialog.Close>
        <Button variant="primary" onClick={() => apply.current()} title="Ctrl+Enter">
          {source.isNew ? 'Insert' : 'Apply'}
        </Button>
      </div>
      <div ref={keys} className="formula-keys relative shrink-0 overflow-hidden rounded-b-2xl" />
    </>
  );
}

function makeLatex(field: Field, before: string, source: ReturnType<typeof findFormulaSource>): string {
  return keepWritten(source.written, undress(source, before), undress(source, field.read()));
}
