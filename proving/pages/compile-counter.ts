/** The typesetter as proving uses it: counts compiles, retries when queue or machine are busy, obeys the signal. */
import { setTimeout as wait } from 'node:timers/promises';
import { WorkStarved } from '#platform/work/work-limit.ts';
import type { Asset, CompileResult, Typesetter } from '#typesetting/index.ts';

/** Retries on a full queue before proving gives up. */
const maxQueueRetries = 20;
const maxWaitMs = 15_000;
/** Tries of a compile that got no CPU time from the machine, which is not the page's fault. */
const maxStarvedTries = 3;

export class CompileCounter {
  count = 0;
  private readonly typesetter: Typesetter;
  private readonly owner: string;
  private readonly assets: Asset[];
  private readonly signal: AbortSignal;

  constructor(options: { typesetter: Typesetter; owner: string; assets: Asset[]; signal: AbortSignal }) {
    this.typesetter = options.typesetter;
    this.owner = options.owner;
    this.assets = options.assets;
    this.signal = options.signal;
  }

  /** @throws WorkStarved */
  async compile(latex: string, cpuMs: number): Promise<CompileResult> {
    let starved = 0;
    for (let attempt = 0; ; attempt++) {
      if (this.signal.aborted) return { kind: 'cancelled' };
      const result = await this.typesetter.compile({
        latex,
        // Only the figures included: probes of single pages need few.
        assets: this.assets.filter((asset) => latex.includes(asset.name.replace(/\.[a-z]+$/i, ''))),
        engine: 'xelatex',
        owner: this.owner,
        // somebody in an editor waits for each compile; a conversion is waited for as a whole
        priority: 'background',
        cpuMs,
        signal: this.signal,
      });
      if (result.kind === 'refused' && result.isStarved) {
        if (++starved >= maxStarvedTries) throw new WorkStarved();
        continue;
      }
      const isFull = result.kind === 'refused' && result.retryAfterSeconds !== undefined;
      if (!isFull || attempt >= maxQueueRetries) {
        this.count++;
        return result;
      }
      try {
        await wait(Math.min(maxWaitMs, result.retryAfterSeconds! * 1000), undefined, { signal: this.signal });
      } catch {
        return { kind: 'cancelled' };
      }
    }
  }
}
