/**
 * A waiting xdvipdfmx: makes main.pdf from main.xdv in a folder, resuming from the furthest byte that it has
 * read before. Its frozen copies know the fonts and pages up to there.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { readJobFile } from '../sandbox/job-folder.ts';
import { type BoxedExit, cpuSecondsLeft, type Watch } from '../sandbox/run-boxed.ts';
import { commonStart, type InputState } from './inputs.ts';
import { Snapshots } from './snapshots.ts';
import type { WarmProcess } from './warm-process.ts';
import { watchRun } from './watch-run.ts';
import { findLastPages } from './xdv.ts';

/** `page`: for a page that changed, with the pages before it emptied. */
export type DriveKind = 'document' | 'page';

/**
 * The file it writes itself: it looks for an existing one first, and its own is there by the time the host is notified.
 */
const output = 'main.pdf';
/** A larger XDV file is read from its start. */
const maxComparedBytes = 16_000_000;
/** CPU time between automatic snapshots: never, only at marks. */
const never = 1_000_000;

export class PdfDriver {
  readonly process: WarmProcess;
  readonly #snapshots = new Snapshots();
  /** The last input, by kind: the next differs from it where somebody types. */
  readonly #last = new Map<DriveKind, Buffer>();
  #turn: Promise<unknown> = Promise.resolve();
  #runs = 0;

  constructor(process: WarmProcess) {
    this.process = process;
  }

  get snapshotCount(): number {
    return this.#snapshots.all.length;
  }

  /**
   * One at a time, in the order requested.
   * @param state what TeX's run found in its folder, including pictures.
   */
  drive(folder: string, kind: DriveKind, state: InputState, watch: Watch): Promise<BoxedExit> {
    const exit = this.#turn.then(() => this.#drive(folder, kind, state, watch));
    this.#turn = exit.catch(() => {});
    return exit;
  }

  async #drive(folder: string, kind: DriveKind, state: InputState, watch: Watch): Promise<BoxedExit> {
    if (watch.signal.aborted) return { kind: 'aborted' };
    const xdv = (await readJobFile(folder, 'main.xdv', maxComparedBytes)) ?? Buffer.alloc(0);
    const from = this.#snapshots.best(xdv, state, (slot) => this.process.isWaiting(slot));
    const marks = this.#chooseMarks(xdv, kind).filter((mark) => mark > from.offset);
    const missing = marks.length - this.process.freeSlots.length;
    if (missing > 0)
      for (const { slot } of this.#snapshots.takeLeastUseful(missing, state, from, new Set()))
        this.process.release(slot);
    this.#last.set(kind, xdv);
    const looks = new Map(from.looks);
    const command = {
      run: ++this.#runs,
      folder: path.basename(folder),
      cpuSeconds: cpuSecondsLeft(watch),
      everyMs: never,
      previewFrom: null,
      slots: marks.length > 0 ? this.process.freeSlots : [],
      marks,
    };
    const end = await watchRun(this.process, [folder], watch, () =>
      this.process.run(from.slot, command, {
        onLook: (name) => {
          const known = state.get(name ?? '') ?? null;
          // a file that the document itself wrote: nobody can tell whether it will be the same again
          const isOwn =
            known === null && name !== null && name !== output && existsSync(path.join(folder, name));
          looks.set(isOwn ? '' : (name ?? ''), isOwn ? 'of its own' : known);
        },
        onSnapshot: (slot, offset) =>
          this.#snapshots.add({ slot, offset, source: xdv, looks: new Map(looks) }),
      }),
    );
    if (end.kind === 'fault') return { kind: 'exited', code: 1, stderr: '' };
    if (end.exit.kind !== 'exited') return end.exit;
    const stderr = await readJobFile(folder, 'driver.err', 8_192, true);
    return { ...end.exit, stderr: stderr?.toString('utf8') ?? '' };
  }

  /**
   * After the preamble (once everything read at the start has been), before the page that changed, and where it
   * changed.
   */
  #chooseMarks(xdv: Buffer, kind: DriveKind): number[] {
    if (xdv.length < 15) return [];
    const marks = new Set([15 + xdv[14]!]);
    const last = this.#last.get(kind);
    if (last) {
      const change = commonStart(last, xdv);
      if (change > 15) marks.add(change);
      const page = findLastPages(xdv).find((start) => start < change);
      if (page !== undefined) marks.add(page);
    }
    return [...marks].filter((mark) => mark < xdv.length).sort((a, b) => a - b);
  }
}
