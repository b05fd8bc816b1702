/** What the server and a page process say to each other. */
import type { InspectedUpload, PageSource, PreparedPage } from '../page.ts';

export type PageTask =
  | { kind: 'inspect'; path: string; displayName: string }
  | { kind: 'prepare'; source: PageSource; findsInk: boolean }
  | { kind: 'redraw'; bytes: Uint8Array };

export type PageTaskResult<T extends PageTask> = T extends { kind: 'inspect' }
  ? InspectedUpload
  : T extends { kind: 'prepare' }
    ? PreparedPage
    : T extends { kind: 'redraw' }
      ? Uint8Array
      : never;

export interface PageTaskMessage {
  id: number;
  task: unknown;
}

/**
 * `ready`: the program is loaded. `refusal`: what was sent cannot be used, and the sentence says why. `exhausted`: a decoder ran out of memory or gave
 * up; the process is of no more use. `fault`: a bug.
 */
export type PageTaskAnswer =
  | { kind: 'ready'; reservedBytes: number }
  | { id: number; kind: 'done'; result: unknown; grownBytes: number }
  | { id: number; kind: 'refusal'; message: string; grownBytes: number }
  | { id: number; kind: 'exhausted'; message: string }
  | { id: number; kind: 'fault'; message: string };

/** Thrown inside a page process for what the sender can mend; becomes INVALID_INPUT in the server. */
export class Refusal extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'Refusal';
  }
}
