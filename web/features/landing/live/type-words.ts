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

/** The animation's frames, with the duration of each. Exported for its test. */
export function* typeSteps(wordPairs: WordPairs): Generator<{ note: string; pdf: string; lastsMs: number }> {
  for (let index = 0; ; index = (index + 1) % wordPairs.length) {
    const [note, pdf] = wordPairs[index]!;
    yield { note, pdf, lastsMs: holdMs };
    for (let gone = 1; gone <= Math.max(note.length, pdf.length); gone++)
      yield {
        note: note.slice(0, Math.max(0, note.length - gone)),
        pdf: pdf.slice(0, Math.max(0, pdf.length - gone)),
        lastsMs: deleteMs,
      };
    const [nextNote, nextPdf] = wordPairs[(index + 1) % wordPairs.length]!;
    for (let typed = 1; typed <= nextNote.length; typed++)
      yield { note: nextNote.slice(0, typed), pdf: '', lastsMs: typeMs };
    for (let typed = 1; typed < nextPdf.length; typed++)
      yield { note: nextNote, pdf: nextPdf.slice(0, typed), lastsMs: typeMs };
  }
}

/** @returns a function that stops it at its current state */
export function typeWords({ note, pdf, pairs, pauseButton }: TypedWords): () => void {
  const calm = matchMedia('(prefers-reduced-motion: reduce)');
  const steps = typeSteps(pairs);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isPaused = false;

  const step = () => {
    const { value } = steps.next();
    note.textContent = value.note;
    pdf.textContent = value.pdf;
    timer = setTimeout(step, value.lastsMs);
  };
  const follow = () => {
    clearTimeout(timer);
    if (isPaused || calm.matches) return;
    step();
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
    clearTimeout(timer);
    pauseButton?.removeEventListener('click', handlePause);
    calm.removeEventListener('change', follow);
  };
}
