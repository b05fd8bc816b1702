/**
 * The warm engines of this process: who has which, which is ended when memory is short, and a spare one for any
 * newcomer.
 */
import path from 'node:path';
import type { EngineMetrics } from '../metrics.ts';
import type { Sandbox } from '../sandbox/open-sandbox.ts';
import type { Engine } from '../typesetter.ts';
import { WarmEngine } from './warm-engine.ts';

export interface EnginePoolOptions {
  sandbox: Sandbox;
  workFolder: string;
  /** Memory that all engines together may use, in bytes. */
  memoryBudgetBytes: number;
  metrics?: EngineMetrics;
}

/** What a blank xelatex uses before it is measured (PSS; measured: 100 MB, with its driver). */
const blankBytes = 120_000_000;
/** An engine larger than this is ended after its job. */
const maxEngineBytes = 900_000_000;
/** Somebody with more documents open than this shares engines among them. */
const maxPerOwner = 3;
/** `\today` and the date in PDFs are those of the engine's start. */
const maxAgeMs = 24 * 60 * 60 * 1000;
const maxIdleMs = 20 * 60 * 1000;
/** Nobody types in a document that was compiled in the background: its next compile comes at once, or not at all. */
const maxIdleInBackgroundMs = 30_000;
const sweepMs = 5_000;

export class EnginePool {
  readonly #options: EnginePoolOptions;
  readonly #engines = new Set<WarmEngine>();
  readonly #closing = new Set<Promise<void>>();
  #starting = 0;
  #count = 0;
  #spare: Promise<WarmEngine | null> | null = null;
  /** The spare one, once it is ready. */
  #unused: WarmEngine | null = null;
  #isClosed = false;
  readonly #sweeper: NodeJS.Timeout;

  constructor(options: EnginePoolOptions) {
    this.#options = options;
    options.metrics?.watch(() => ({
      engines: this.#engines.size,
      snapshots: [...this.#engines].reduce((sum, engine) => sum + engine.snapshotCount, 0),
      memoryBytes: this.#held(),
    }));
    this.#sweeper = setInterval(() => void this.#sweep(), sweepMs);
    this.#sweeper.unref();
  }

  /**
   * The owner's engine that knows most of this text, otherwise an unused one.
   * @param mayEvict whether somebody else's idle engine may be ended for it.
   * @returns null if none may be started: the caller compiles cold.
   */
  async take(owner: string, engine: Engine, source: Buffer, mayEvict = true): Promise<WarmEngine | null> {
    const own = [...this.#engines].filter((one) => one.owner === owner && one.engine === engine);
    for (const one of own) if (!one.isBusy && isTooOld(one)) this.#retire(one, 'age');
    const idle = own.filter((one) => !one.isBusy && !one.isOver && !isTooOld(one));
    const same = idle
      .filter((one) => one.isSameDocument(source))
      .sort((a, b) => b.reach(source) - a.reach(source))[0];
    const oldest = idle.sort((a, b) => a.lastUsed - b.lastUsed)[0];
    const chosen = same ?? (own.length >= maxPerOwner ? oldest : undefined);
    if (chosen) return this.#use(chosen, owner);
    const fresh = await this.#takeFresh(engine, mayEvict);
    if (fresh) return this.#use(fresh, owner);
    return oldest && !oldest.isBusy && !oldest.isOver ? this.#use(oldest, owner) : null;
  }

  /** After a job: keeps the engine for the next one, or ends it if it did not behave. */
  giveBack(engine: WarmEngine, isSound: boolean, isBackground = false): void {
    engine.isBusy = false;
    engine.lastUsed = Date.now();
    engine.keptUntil = Math.max(
      engine.keptUntil,
      engine.lastUsed + (isBackground ? maxIdleInBackgroundMs : maxIdleMs),
    );
    if (!isSound || engine.isOver) this.#retire(engine, 'fault');
    // the next newcomer who types finds one that has loaded its format
    if (!isBackground && !this.#isClosed && this.#spare === null && this.#hasRoom())
      this.#spare = this.#startSpare();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweeper);
    await this.#spare;
    for (const engine of this.#engines) this.#retire(engine);
    await Promise.all(this.#closing);
  }

  #use(engine: WarmEngine, owner: string): WarmEngine {
    engine.owner = owner;
    engine.isBusy = true;
    if (this.#unused === engine) this.#unused = null;
    return engine;
  }

  async #takeFresh(engine: Engine, mayEvict: boolean): Promise<WarmEngine | null> {
    const spare = this.#spare;
    if (engine === 'xelatex' && spare) {
      this.#spare = null;
      const one = await spare;
      if (one && !one.isOver && !isTooOld(one)) return one;
      if (one) this.#retire(one, 'age');
    }
    while (!this.#hasRoom()) {
      const victim = mayEvict ? this.#leastRecentlyUsed() : undefined;
      if (!victim) return null;
      this.#retire(victim, 'memory');
      // its id and memory are free only once it has ended
      await Promise.all(this.#closing);
    }
    return this.#start(engine);
  }

  async #startSpare(): Promise<WarmEngine | null> {
    const engine = await this.#start('xelatex');
    if (!engine) return null;
    if (this.#isClosed) this.#retire(engine);
    engine.keptUntil = Date.now() + maxIdleMs;
    this.#unused = engine;
    return engine;
  }

  async #start(engine: Engine): Promise<WarmEngine | null> {
    const { sandbox, workFolder } = this.#options;
    this.#starting++;
    try {
      const one = await WarmEngine.start(engine, sandbox, path.join(workFolder, `engine-${++this.#count}`));
      one.memoryBytes = blankBytes;
      this.#engines.add(one);
      // marked at once, so that nobody else takes it while it gets ready
      one.isBusy = true;
      if (await one.ready) return one;
      this.#retire(one, 'fault');
      return null;
    } finally {
      this.#starting--;
    }
  }

  #hasRoom(): boolean {
    const count = this.#engines.size + this.#starting + this.#closing.size;
    if (count >= this.#options.sandbox.stayingCapacity) return false;
    return this.#held() + blankBytes * (this.#starting + 1) <= this.#options.memoryBudgetBytes;
  }

  #held(): number {
    return [...this.#engines].reduce((sum, engine) => sum + engine.memoryBytes, 0);
  }

  #leastRecentlyUsed(): WarmEngine | undefined {
    return [...this.#engines].filter((engine) => !engine.isBusy).sort((a, b) => a.lastUsed - b.lastUsed)[0];
  }

  #retire(engine: WarmEngine, reason?: Parameters<EngineMetrics['evicted']>[0]): void {
    if (!this.#engines.delete(engine)) return;
    if (this.#unused === engine) this.#unused = null;
    if (reason) this.#options.metrics?.evicted(reason);
    const closed = engine.close().finally(() => this.#closing.delete(closed));
    this.#closing.add(closed);
  }

  async #sweep(): Promise<void> {
    for (const engine of [...this.#engines]) {
      await engine.measureMemory().catch(() => 0);
      if (engine.isBusy) continue;
      if (engine.isOver) this.#retire(engine, 'fault');
      else if (engine.memoryBytes > maxEngineBytes) this.#retire(engine, 'memory');
      else if (Date.now() > engine.keptUntil) this.#retire(engine, 'idle');
    }
    if (this.#unused && Date.now() > this.#unused.keptUntil) this.#retireSpare(this.#unused, 'idle');
    while (this.#held() > this.#options.memoryBudgetBytes) {
      const victim = this.#leastRecentlyUsed();
      if (victim) this.#retire(victim, 'memory');
      else if (this.#unused) this.#retireSpare(this.#unused, 'memory');
      else break;
    }
  }

  #retireSpare(spare: WarmEngine, reason: 'idle' | 'memory'): void {
    this.#spare = null;
    this.#retire(spare, reason);
  }
}

function isTooOld(engine: WarmEngine): boolean {
  const now = new Date();
  return (
    now.getTime() - engine.startedAt > maxAgeMs ||
    new Date(engine.startedAt).toDateString() !== now.toDateString()
  );
}
