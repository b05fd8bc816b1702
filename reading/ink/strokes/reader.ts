/**
 * Reads pen strokes with the line model, in a process of its own: somebody who draws does not wait for pages. It is
 * started by the first drawing and ended a minute after the last.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { FairQueue } from '#platform/work/fair-queue.ts';
import { createProcesses } from '#platform/work/process-pool.ts';
import { unboundedWaiting } from '#platform/work/queue-limits.ts';
import { takeTurn } from '#platform/work/take-turn.ts';
import type { Stroke } from './draw-strokes.ts';
import type { Candidate, StrokeKind } from './read-strokes.ts';
import type { StrokeTask } from './stroke-process.ts';

export interface StrokeReader {
  /**
   * The likeliest first, at most five; none where nothing is legible.
   * @param owner whose share of the queue it uses, as returned by `queueOwner`
   * @throws ApiError TOO_MANY_REQUESTS or BUSY if too many wait; WorkLost; the signal's reason
   */
  read(
    strokes: readonly Stroke[],
    kind: StrokeKind,
    options: { owner: string; signal: AbortSignal },
  ): Promise<Candidate[]>;
  close(): Promise<void>;
}

const weights = path.resolve(import.meta.dirname, '../../models/line-reader.onnx');
const program = fileURLToPath(new URL('./stroke-process.ts', import.meta.url));
/** The model and its runtime take 150 MB. */
const memoryLimitBytes = 800_000_000;
/** A drawing of the most points takes some 0.3 s. */
const limits = { cpuMs: 10_000 };
/** A newer drawing replaces the one before: nobody needs more to wait. */
const waiting = { maxWaitingPerOwner: 4, maxWaitingPerGroup: 20, maxWaiting: 100 } as const;
const tooMany =
  'Too many drawings of yours, or from your network, are waiting. Please try again in a moment.';

/** @returns null if there are no weights: nothing drawn is read then */
export function openStrokeReader(model = weights): StrokeReader | null {
  if (!existsSync(model)) return null;
  const turns = new FairQueue({ concurrency: 1, ...waiting });
  const queue = new FairQueue({ concurrency: 1, ...unboundedWaiting });
  const processes = createProcesses(program, { queue, memoryLimitBytes }).openPool({ size: 1, limits });
  return {
    async read(strokes, kind, { owner, signal }) {
      const task: StrokeTask = { model, strokes, kind };
      return takeTurn(turns, { owner, signal, refusal: tooMany }, async () => {
        const candidates = await processes.run(task, { owner, signal });
        return candidates as Candidate[];
      });
    },
    close: () => processes.close(),
  };
}
