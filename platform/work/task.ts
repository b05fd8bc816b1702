/** Messages between the server and a process of a pool. */

export interface TaskMessage {
  id: number;
  task: unknown;
}

/**
 * `ready`: the program is loaded. `refusal`: the input cannot be used, and the sentence says why. `exhausted`:
 * memory ran out, or a decoder gave up; the process is of no more use. `fault`: a bug.
 */
export type TaskAnswer =
  | { kind: 'ready'; reservedBytes: number }
  | { id: number; kind: 'done'; result: unknown; grownBytes: number }
  | { id: number; kind: 'refusal'; message: string; grownBytes: number }
  | { id: number; kind: 'exhausted'; message: string }
  | { id: number; kind: 'fault'; message: string };

/** Thrown inside a process for what the sender can correct; becomes INVALID_INPUT in the server. */
export class Refusal extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'Refusal';
  }
}
