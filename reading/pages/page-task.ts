/** What a page process is asked, and what it gives back. */
import type { InspectedFile, PageSource, PreparedPage } from '../page.ts';

export type PageTask =
  | { kind: 'identify'; path: string; displayName: string }
  | { kind: 'prepare'; source: PageSource; findsInk: boolean }
  | { kind: 'redraw'; bytes: Uint8Array };

export type PageTaskResult<T extends PageTask> = T extends { kind: 'identify' }
  ? InspectedFile
  : T extends { kind: 'prepare' }
    ? PreparedPage
    : T extends { kind: 'redraw' }
      ? Uint8Array
      : never;
