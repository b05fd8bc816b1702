/** The ink reader's interface for the router. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type ModelProcessOptions, openModelProcess } from '../model-process.ts';
import type { InkTask } from './ink-process.ts';
import type { InkPage, PictureOfInk } from './read-ink.ts';

export interface InkReader {
  /** Reads a prepared page as handwriting; see `ModelProcess` for errors and cancelling. */
  read(
    picture: PictureOfInk,
    pageNumber: number,
    signal: AbortSignal,
    owner?: string,
  ): Promise<InkPage | null>;
  close(): Promise<void>;
}

const model = path.resolve(import.meta.dirname, '../models/line-reader.onnx');
const program = fileURLToPath(new URL('./ink-process.ts', import.meta.url));

/** @returns null if there are no weights, so that handwriting cannot be read */
export function openInkReader(options: ModelProcessOptions = {}): InkReader | null {
  const reader = openModelProcess<Omit<InkTask, 'model'>, InkPage>(program, model, options);
  return (
    reader && {
      // of a prepared page, its preview and the like stay here
      read: ({ bitmap, origin, isRest, isFromScreen, formulasFrom }, pageNumber, signal, owner) =>
        reader.read(
          { picture: { bitmap, origin, isRest, isFromScreen, formulasFrom }, pageNumber },
          signal,
          owner,
        ),
      close: () => reader.close(),
    }
  );
}
