/** The request to a page process, and its answer. */
import type { InspectedFile, PagePicture, PageSource } from '../page.ts';
import type { PageParts } from './prepare-page.ts';

export type PageTask =
  | { kind: 'identify'; path: string; displayName: string }
  | { kind: 'prepare'; source: PageSource; parts: PageParts }
  | { kind: 'redraw'; bytes: Uint8Array };

export type PageTaskResult<T extends PageTask> = T extends { kind: 'identify' }
  ? InspectedFile
  : T extends { kind: 'prepare' }
    ? PagePicture
    : T extends { kind: 'redraw' }
      ? Uint8Array
      : never;
