/**
 * The waiting engines: by whom they are for and what they have read, the least recently used ended first under a
 * memory budget. An engine never changes its owner; the key of one that waits for somebody else cannot be made.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Logger } from 'pino';
import type { AuxFiles } from '../engines/passes.ts';
import type { EngineMetrics } from '../metrics.ts';
import type { Sandbox } from '../sandbox/open-sandbox.ts';
import { type Opening, startWaitingEngine, type WaitingEngine } from './waiting-engine.ts';

export interface PoolOptions {
  sandbox: Sandbox;
  workFolder: string;
  /** Budget of all waiting engines, in bytes. */
  memoryBytes: number;
  /** An owner who has compiled nothing for so long has no engine waiting, in ms. */
  idleMs: number;
  metrics?: EngineMetrics;
  logger?: Logger;
  /** Epoch ms; for tests of the change of day. */
  now: () => number;
}

/** A preamble of one owner: its engines, and what is known of its documents. */
export interface Slot {
  readonly key: string;
  readonly owner: string;
  readonly opening: Opening;
  /** What the last settled compile left; empty when none did. */
  aux: AuxFiles;
  /** Files a pass found in its folder and did not read before `\begin{document}`. */
  late: ReadonlySet<string>;
  engines: WaitingEngine[];
  usedAt: number;
  /** A pass with this preamble came to its end: an engine that waits behind it would, too. */
  isProven: boolean;
  /** An engine with this preamble ended while it waited: there is nothing to wait for. */
  isHopeless: boolean;
}

/** One waits for the next edit, the other for a second pass or an edit that comes while a successor loads. */
const enginesPerSlot = 2;
/** An owner at work on the preamble makes a new one with every edit. */
const slotsPerOwner = 2;
const maxSlots = 256;
/** All that is kept of auxiliary files, in bytes. */
const maxAuxBytes = 4_000_000;
const sweepMs = 30_000;
export const noAux: AuxFiles = new Map();

export class EnginePool {
  readonly #options: PoolOptions;
  /** In the order of last use: the first is the least recently used. */
  readonly #slots = new Map<string, Slot>();
  /** Engines that live, those in use included: each holds an id. */
  readonly #living = new Set<WaitingEngine>();
  readonly #disposals = new Set<Promise<void>>();
  readonly #wanted = new Set<Slot>();
  #starter: Promise<void> | null = null;
  #count = 0;
  #isClosed = false;
  readonly #sweeper: NodeJS.Timeout;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#sweeper = setInterval(() => this.#sweep(), sweepMs).unref();
    options.metrics?.watch(() => ({
      engines: this.#living.size,
      snapshots: 0,
      memoryBytes: this.#memoryBytes(),
    }));
  }

  /** The slot of an owner's preamble, made when missing, and used now. */
  slot(owner: string, opening: Opening): Slot {
    const key = this.#keyOf(owner, opening);
    const found = this.#slots.get(key);
    const slot: Slot = found ?? {
      key,
      owner,
      opening,
      aux: noAux,
      late: new Set(),
      engines: [],
      usedAt: 0,
      isProven: false,
      isHopeless: false,
    };
    slot.usedAt = this.#options.now();
    this.#slots.delete(key);
    this.#slots.set(key, slot);
    const own = [...this.#slots.values()].filter((other) => other.owner === owner);
    for (const old of own.slice(0, -slotsPerOwner)) this.#drop(old);
    if (this.#slots.size > maxSlots) this.#drop(this.#slots.values().next().value!);
    return slot;
  }

  /** An engine of the slot that may be used with these auxiliary files; it is the caller's to dispose of. */
  async take(slot: Slot, aux: AuxFiles): Promise<WaitingEngine | null> {
    for (const engine of [...slot.engines].sort((a, b) => Number(b.isReady) - Number(a.isReady))) {
      if (!slot.engines.includes(engine)) continue;
      slot.engines = slot.engines.filter((other) => other !== engine);
      if (engine.isAlive && (await engine.exchangeAux(aux, slot.late)) && engine.isAlive) return engine;
      // one that still reads may do for a later pass
      if (engine.isAlive && !engine.isReady && this.#slots.get(slot.key) === slot) slot.engines.push(engine);
      else this.release(engine);
    }
    return null;
  }

  /** Ends an engine; what it leaves is removed in the background. */
  release(engine: WaitingEngine): Promise<void> {
    const disposal = engine.dispose().finally(() => {
      this.#living.delete(engine);
      this.#disposals.delete(disposal);
    });
    this.#disposals.add(disposal);
    return disposal;
  }

  /** Has engines started until as many wait as a slot may have; returns at once. */
  replenish(slot: Slot): void {
    if (this.#isClosed || slot.isHopeless || this.#slots.get(slot.key) !== slot) return;
    this.#wanted.delete(slot);
    this.#wanted.add(slot);
    this.#starter ??= this.#startWanted().finally(() => {
      this.#starter = null;
    });
  }

  /** Keeps what a settled compile left, within bounds. */
  keepAux(slot: Slot, files: AuxFiles): void {
    let bytes = 0;
    for (const content of files.values()) bytes += content.length;
    slot.aux = bytes > maxAuxBytes ? noAux : files;
  }

  /** Resolves when nothing is being started and everything that waits is ready. */
  async whenReady(): Promise<void> {
    while (this.#starter) await this.#starter;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweeper);
    this.#wanted.clear();
    await this.#starter;
    for (const slot of [...this.#slots.values()]) this.#drop(slot);
    await Promise.all([...this.#living].map((engine) => this.release(engine)));
    while (this.#disposals.size > 0) await Promise.all(this.#disposals);
  }

  /** One after the other: starting is background work, and a compile may run beside it. */
  async #startWanted(): Promise<void> {
    for (;;) {
      const slot = [...this.#wanted].at(-1);
      if (!slot || this.#isClosed) return;
      slot.engines = slot.engines.filter((engine) => engine.isAlive);
      if (slot.engines.length >= enginesPerSlot || slot.isHopeless || !(await this.#makeRoom(slot))) {
        this.#wanted.delete(slot);
        continue;
      }
      await this.#startOne(slot).catch((error: unknown) => {
        slot.isHopeless = true;
        this.#options.logger?.warn({ err: error }, 'no engine could be made to wait');
      });
    }
  }

  async #startOne(slot: Slot): Promise<void> {
    const { sandbox, workFolder, metrics } = this.#options;
    const engine = await startWaitingEngine({
      ...slot.opening,
      sandbox,
      folderPath: path.join(workFolder, `job-waiting-${++this.#count}`),
      aux: slot.aux,
    });
    if (!engine) {
      slot.isHopeless = true;
      return;
    }
    this.#living.add(engine);
    if (this.#isClosed || this.#slots.get(slot.key) !== slot) {
      this.release(engine);
      return;
    }
    slot.engines.push(engine);
    await engine.settled;
    if (!engine.isAlive && slot.engines.includes(engine)) {
      slot.isHopeless = true;
      slot.engines = slot.engines.filter((other) => other !== engine);
      this.release(engine);
      metrics?.evicted('fault');
    }
    while (this.#memoryBytes() > this.#options.memoryBytes) if (!this.#evictOne()) break;
    // one that had to go for lack of memory would have to go again
    if (!slot.engines.includes(engine)) this.#wanted.delete(slot);
  }

  /** True when one more engine may live; ends one of a less recent slot for it. */
  async #makeRoom(slot: Slot): Promise<boolean> {
    const isFull = () => this.#living.size >= this.#options.sandbox.stayingCapacity;
    if (isFull()) await this.#evictOne(slot);
    return !isFull();
  }

  /** Ends the least recently used engine that waits; null when there is none but `spared`'s. */
  #evictOne(spared?: Slot): Promise<void> | null {
    for (const slot of this.#slots.values()) {
      const engine = slot === spared ? undefined : slot.engines.pop();
      if (!engine) continue;
      this.#options.metrics?.evicted('memory');
      return this.release(engine);
    }
    return null;
  }

  #sweep(): void {
    const day = this.#day();
    for (const slot of [...this.#slots.values()]) {
      const isOld = !slot.key.startsWith(day);
      if (!isOld && this.#options.now() - slot.usedAt < this.#options.idleMs) continue;
      for (const _ of slot.engines) this.#options.metrics?.evicted(isOld ? 'age' : 'idle');
      this.#drop(slot);
    }
  }

  #drop(slot: Slot): void {
    this.#slots.delete(slot.key);
    this.#wanted.delete(slot);
    for (const engine of slot.engines.splice(0)) this.release(engine);
  }

  #memoryBytes(): number {
    let bytes = 0;
    for (const slot of this.#slots.values())
      for (const engine of slot.engines) if (engine.isAlive) bytes += engine.memoryBytes;
    return bytes;
  }

  /** The day of \today: the box knows no time zone. */
  #day(): string {
    return new Date(this.#options.now()).toISOString().slice(0, 10);
  }

  #keyOf(owner: string, { engine, preamble, assets }: Opening): string {
    const hash = createHash('sha256');
    const add = (part: string | Uint8Array) => {
      // lengths first: no two lists of parts make the same bytes
      hash.update(`${Buffer.byteLength(part)}:`);
      hash.update(part);
    };
    for (const part of [owner, engine, preamble]) add(part);
    for (const { name, bytes } of [...assets].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      add(name);
      add(bytes);
    }
    return `${this.#day()} ${hash.digest('base64')}`;
  }
}
