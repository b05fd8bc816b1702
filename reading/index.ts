/**
 * Reads a file and yields the LaTeX of its pages: PDFs from their text layer, print and handwriting from pictures,
 * without a network, or everything by a vision model.
 *
 *     const reader = openReader({ logger });
 *     for await (const reading of reader.read('notes.jpg')) if (reading.kind === 'read') console.log(reading.page.body);
 *     await reader.close();
 *
 * A page goes through `files/` (what was sent), `pages/` (one upright, evenly lit picture), one of the readers behind
 * `transcriber.ts` (`text-layer/`, `print/`, `ink/`, `mixed/`, `vision/`) and `positions/` (where each line stands).
 */

export type { ReaderId } from '#shared/api/reader.ts';
export { blankDocument, isBlank } from './blank-page.ts';
export { handwritingWarning } from './handwriting-warnings.ts';
export { openStrokeReader, type StrokeReader } from './ink/strokes/reader.ts';
export { inspectFile } from './inspect-file.ts';
export { openReader, type Reader, type ReaderOptions } from './open-reader.ts';
export type { InspectedFile, PagePicture, PageSource, Quarters } from './page.ts';
export { localOwner } from './page-queue.ts';
export type { PagePreparer } from './pages/page-preparer.ts';
export { redrawPicture } from './pages/redraw-apart.ts';
export { type PageReading, preparePage, transcribePage } from './transcribe-page.ts';
export type { CroppedFigure, TranscribedPage, TranscribeHints, Transcriber } from './transcriber.ts';
