/**
 * The protocol between us and native/warm.c, in lines. A process waits in a slot: the blank engine in 0, frozen copies
 * in the others.
 *
 * Commands to a slot:
 *   run RUN FOLDER CPU EVERY PREVIEW SLOTS MARK MARK MARK MARK   continue in FOLDER, as run RUN, for at most CPU seconds;
 *       leave copies in SLOTS (a bit each, hexadecimal): at the first line at or after each MARK (rising; -1: none),
 *       else after EVERY ms of CPU time. PREVIEW: when a page has been shipped after this byte (-1: never), a copy in
 *       FOLDERp sees the end of the file, and so ends its document there
 *   interrupt   have the run that was started here end its document where it is, with the pages so far
 *   stop   end the run that was started here
 *   end    end this copy
 *
 * Answers: see Answer below, each its kind and its fields in that order.
 *
 * Answers come out of a box with a stranger's document in it: every one is read as hostile.
 */

/** Slots for frozen copies; 0 is the blank engine. The same number as in native/warm.c. */
export const slotCount = 16;
/** How many marks for snapshots a run can be given. */
const markCount = 4;
/** Channel 0 of the box carries the answers, channel 1 + slot that slot's commands. */
export const channelCount = 1 + slotCount;

/** Statuses by which native/warm.c reports that it, not the engine, could not continue. */
export const faultStatuses: ReadonlySet<number> = new Set([110, 111, 112, 113, 114, 115, 116, 117, 118]);

export interface RunCommand {
  run: number;
  /** Folder of the run, in the box's folder; the preview's is the same with a `p`. */
  folder: string;
  cpuSeconds: number;
  /** CPU time between two snapshots, in ms. */
  everyMs: number;
  /** Byte in the text after which a shipped page is worth a preview, or null. */
  previewFrom: number | null;
  /** Slots that snapshots may use. */
  slots: readonly number[];
  /** Bytes in the text, rising, at which snapshots are wanted first: up to four. */
  marks: readonly number[];
}

export type Answer =
  /** A process waits in this slot and accepts commands. */
  | { kind: 'ready'; slot: number }
  /** The engine looked for a file of its folder; null: one with an unusual name. */
  | { kind: 'look'; run: number; name: string | null }
  /**
   * A copy that has read `offset` bytes is about to be made: announced before, so that its slot is known to be
   * taken.
   */
  | { kind: 'snap'; run: number; slot: number; offset: number }
  /** The preview's files are complete. */
  | { kind: 'preview'; run: number; status: number; cpuMs: number }
  /** The run's files are complete; its large process still takes some ms to end. */
  | { kind: 'done'; run: number; status: number; cpuMs: number }
  | { kind: 'exit'; run: number; status: number; cpuMs: number }
  | { kind: 'ended'; slot: number };

export function writeRun(command: RunCommand): string {
  const { run, folder, cpuSeconds, everyMs, previewFrom, slots, marks } = command;
  const bits = slots.reduce((mask, slot) => mask | (1 << slot), 0).toString(16);
  const wanted = Array.from({ length: markCount }, (_, index) => marks[index] ?? -1);
  const numbers = [cpuSeconds, Math.round(everyMs), previewFrom ?? -1, bits, ...wanted];
  return `run ${run} ${folder} ${numbers.join(' ')}\n`;
}

/** Parses one answer; null for an invalid line. */
export function readAnswer(line: string): Answer | null {
  const [word, ...fields] = line.split(' ');
  if (word === 'look') return readLook(fields);
  if (!fields.every((field) => /^\d{1,12}$/.test(field))) return null;
  const [a, b, c] = fields.map(Number) as [number, number, number];
  if (word === 'ready' && fields.length === 1) return a < slotCount ? { kind: 'ready', slot: a } : null;
  if (word === 'ended' && fields.length === 1) return a < slotCount ? { kind: 'ended', slot: a } : null;
  if (fields.length !== 3) return null;
  if (word === 'snap') return b > 0 && b < slotCount ? { kind: 'snap', run: a, slot: b, offset: c } : null;
  if (word !== 'exit' && word !== 'done' && word !== 'preview') return null;
  return { kind: word, run: a, status: b, cpuMs: c };
}

/** In the folder itself, or in one below it. */
const lookedFor = /^(?:[\w.-]+|(?:[\w-][\w.-]*\/)+[\w-][\w.-]*)$/;

function readLook(fields: string[]): Answer | null {
  const [run = '', name = ''] = fields;
  if (fields.length !== 2 || !/^\d{1,12}$/.test(run)) return null;
  if (name === '?') return { kind: 'look', run: Number(run), name: null };
  return name.length <= 100 && lookedFor.test(name) ? { kind: 'look', run: Number(run), name } : null;
}

/** Longer than any answer; a longer line means that something else writes there. */
const maxLine = 300;

/** Splits a stream of bytes into answers. */
export class AnswerReader {
  #rest = '';

  /** The answers that are complete now; null as soon as anything invalid came. */
  push(text: string): Answer[] | null {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop()!;
    if (this.#rest.length > maxLine) return null;
    const answers: Answer[] = [];
    for (const line of lines) {
      const answer = line.length <= maxLine ? readAnswer(line) : null;
      if (!answer) return null;
      answers.push(answer);
    }
    return answers;
  }
}
