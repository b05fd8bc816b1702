/**
 * The animated headline: types the note word, then the PDF word, holds both, deletes both, and goes to the next pair.
 * It starts by holding the first pair, as prerendered: nothing vanishes while it is being read.
 */
/** Timings of the headline (specification, sections 4 and 9), in ms: a letter typed, a pair held, a letter deleted. */
const typeMs = 100;
const holdMs = 2000;
const deleteMs = 50;

type WordPairs = readonly (readonly [note: string, pdf: string])[];

interface TypedWords {
  note: HTMLElement;
  pdf: HTMLElement;
  /** Read from the page, not imported: a module shared with the screen would be in React's chunk. */
  pairs: WordPairs;
  /** A button that pauses and resumes it; its label and icon follow `aria-pressed`. */
  pauseButton: HTMLElement | null;
}

interface Frame {
  note: string;
  pdf: string;
  lastsMs: number;
  /** The pair that is shown, or was last. */
  pair: number;
  /** The word with the caret. */
  caret: 'note' | 'pdf';
}

/** The animation's frames, from the holding of a pair on. Exported for its test. */
export function* typeSteps(wordPairs: WordPairs, first = 0): Generator<Frame, never> {
  for (let pair = first; ; pair = (pair + 1) % wordPairs.length) {
    const [note, pdf] = wordPairs[pair]!;
    yield { note, pdf, lastsMs: holdMs, pair, caret: 'pdf' };
    for (let deleted = 1; deleted <= Math.max(note.length, pdf.length); deleted++)
      yield {
        note: note.slice(0, Math.max(0, note.length - deleted)),
        pdf: pdf.slice(0, Math.max(0, pdf.length - deleted)),
        lastsMs: deleteMs,
        pair,
        caret: 'pdf',
      };
    const [nextNote, nextPdf] = wordPairs[(pair + 1) % wordPairs.length]!;
    for (let typed = 1; typed <= nextNote.length; typed++)
      yield { note: nextNote.slice(0, typed), pdf: '', lastsMs: typeMs, pair, caret: 'note' };
    for (let typed = 1; typed < nextPdf.length; typed++)
      yield { note: nextNote, pdf: nextPdf.slice(0, typed), lastsMs: typeMs, pair, caret: 'pdf' };
  }
}

/** @returns a function that stops it; when paused, a whole pair is shown */
export function typeWords({ note, pdf, pairs, pauseButton }: TypedWords): () => void {
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  let steps = typeSteps(pairs);
  let pair = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isPaused = false;

  const show = (frame: Pick<Frame, 'note' | 'pdf'>, caret: Frame['caret'] | null) => {
    note.textContent = frame.note;
    pdf.textContent = frame.pdf;
    note.toggleAttribute('data-caret', caret === 'note');
    pdf.toggleAttribute('data-caret', caret === 'pdf');
  };
  const step = () => {
    const { value } = steps.next();
    pair = value.pair;
    show(value, value.caret);
    timer = setTimeout(step, value.lastsMs);
  };
  const rest = () => {
    clearTimeout(timer);
    steps = typeSteps(pairs, pair);
    const [noteWord, pdfWord] = pairs[pair]!;
    show({ note: noteWord, pdf: pdfWord }, null);
  };
  const follow = () => {
    rest();
    if (!isPaused && !calm.matches) step();
  };
  const handlePause = () => {
    isPaused = !isPaused;
    pauseButton?.setAttribute('aria-pressed', String(isPaused));
    follow();
  };
  pauseButton?.addEventListener('click', handlePause);
  calm.addEventListener('change', follow);
  follow();
  return () => {
    rest();
    pauseButton?.removeEventListener('click', handlePause);
    calm.removeEventListener('change', follow);
  };
}
