/** The typesetter as proving uses it: counted, patient with a full queue, and never past the signal. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Asset, CompileResult, Typesetter } from '../../typesetting/index.ts';

/** A full queue is asked again this often before proving gives up. */
const maxQueueRetries = 20;
const maxWaitMs = 15_000;

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

  async compile(latex: string, timeoutMs: number): Promise<CompileResult> {
    for (let attempt = 0; ; attempt++) {
      if (this.signal.aborted) return { kind: 'cancelled' };
      const result = await this.typesetter.compile({
        latex,
        // Figures only where they are included: probes of single pages need few of them.
        assets: this.assets.filter((asset) => latex.includes(asset.name.replace(/\.[a-z]+$/i, ''))),
        engine: 'xelatex',
        owner: this.owner,
        // a person in an editor waits for each compile, one who converts for all pages together
        priority: 'background',
        timeoutMs,
        signal: this.signal,
      });
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
