/** The request to a page process, and its answer. */
import type { DrawnPicture, InspectedFile, PagePicture, PageSource } from '../page.ts';
import type { DrawnMarks } from '../text-layer/glyphs/find-strokes.ts';
import type { PageParts } from './prepare-page.ts';

export type PageTask =
  | { kind: 'identify'; path: string; displayName: string }
  /** Text of a PDF's first and last pages, so many of each. */
  | { kind: 'texts'; path: string; first: number; last: number }
  | { kind: 'prepare'; source: PageSource; parts: PageParts }
  | { kind: 'drawn'; source: PageSource; marks: DrawnMarks }
  | { kind: 'redraw'; bytes: Uint8Array };

export type PageTaskResult<T extends PageTask> = T extends { kind: 'identify' }
  ? InspectedFile
  : T extends { kind: 'texts' }
    ? string[]
    : T extends { kind: 'prepare' }
      ? PagePicture
      : T extends { kind: 'drawn' }
        ? DrawnPicture | null
        : T extends { kind: 'redraw' }
          ? Uint8Array
          : never;
