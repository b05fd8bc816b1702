/** The typesetter's Prometheus metrics. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { CompileResult, Engine } from './typesetter.ts';

/** How many warm engines there are, and what they use. */
interface EngineState {
  /** Warm engines, each one user's or still unassigned. */
  engines: number;
  /** Their frozen copies, each at one place in a document. */
  snapshots: number;
  /** Memory that all of them use, in bytes. */
  memoryBytes: number;
}

/** Reported by a strategy with warm engines; unused by the cold one. */
export interface EngineMetrics {
  /** How a compile started: it resumed a former engine, used a ready one, or had none. */
  began(start: 'resumed' | 'fresh' | 'cold'): void;
  /** An engine was ended: for memory, for its age, because nobody used it, or because it broke. */
  evicted(reason: 'memory' | 'age' | 'idle' | 'fault'): void;
  /** Called once; afterwards `read` is called at every scrape. */
  watch(read: () => EngineState): void;
}

export interface CompileMetrics {
  engines: EngineMetrics;
  /** How long a job waited for its turn. */
  waited(seconds: number): void;
  finished(engine: Engine, outcome: CompileResult['kind'] | 'starved', seconds: number, passes: number): void;
  refused(): void;
  /** A job was answered without its own compile. */
  spared(how: 'cached' | 'shared'): void;
}

/**
 * Registers the typesetter's metrics, or does nothing without a registry.
 * @param queue read at scrape time.
 */
export function createCompileMetrics(
  registry: Registry | undefined,
  queue: { running: number; waiting: number },
): CompileMetrics {
  if (!registry)
    return {
      engines: { began() {}, evicted() {}, watch() {} },
      waited() {},
      finished() {},
      refused() {},
      spared() {},
    };
  const registers = [registry];
  const compiles = new Counter({
    name: 'inkproof_compiles_total',
    help: 'Compiles by engine and outcome',
    labelNames: ['engine', 'outcome'] as const,
    registers,
  });
  const seconds = new Histogram({
    name: 'inkproof_compile_seconds',
    help: 'Wall time of a compile from its start, waiting not counted',
    labelNames: ['engine'] as const,
    buckets: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32],
    registers,
  });
  const waits = new Histogram({
    name: 'inkproof_compile_wait_seconds',
    help: 'Time a compile waited for its turn',
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32],
    registers,
  });
  const passCount = new Counter({
    name: 'inkproof_compile_passes_total',
    help: 'TeX passes run',
    labelNames: ['engine'] as const,
    registers,
  });
  const refusals = new Counter({
    name: 'inkproof_compiles_refused_total',
    help: 'Compiles refused because the queue was full',
    registers,
  });
  const spared = new Counter({
    name: 'inkproof_compiles_spared_total',
    help: 'Jobs answered without a compile of their own: from the cache, or by an equal compile under way',
    labelNames: ['how'] as const,
    registers,
  });
  new Gauge({
    name: 'inkproof_compiles_running',
    help: 'Compiles running now',
    registers,
    collect() {
      this.set(queue.running);
    },
  });
  new Gauge({
    name: 'inkproof_compiles_waiting',
    help: 'Compiles waiting for their turn',
    registers,
    collect() {
      this.set(queue.waiting);
    },
  });
  return {
    engines: createEngineMetrics(registers),
    waited: (waitedSeconds) => waits.observe(waitedSeconds),
    finished(engine, outcome, duration, passes) {
      compiles.inc({ engine, outcome });
      seconds.observe({ engine }, duration);
      passCount.inc({ engine }, passes);
    },
    refused: () => refusals.inc(),
    spared: (how) => spared.inc({ how }),
  };
}

function createEngineMetrics(registers: Registry[]): EngineMetrics {
  const starts = new Counter({
    name: 'inkproof_compile_starts_total',
    help: 'Compiles by what they began with: resumed (an engine that had been there), fresh (one that was ready), cold',
    labelNames: ['start'] as const,
    registers,
  });
  const evictions = new Counter({
    name: 'inkproof_engines_evicted_total',
    help: 'Warm engines ended before the server: memory, age, idle, fault',
    labelNames: ['reason'] as const,
    registers,
  });
  return {
    began: (start) => starts.inc({ start }),
    evicted: (reason) => evictions.inc({ reason }),
    watch(read) {
      const gauge = (name: string, help: string, field: keyof EngineState) =>
        new Gauge({
          name,
          help,
          registers,
          collect() {
            this.set(read()[field]);
          },
        });
      gauge('inkproof_engines_alive', 'Warm engines alive', 'engines');
      gauge('inkproof_engine_snapshots', 'Frozen copies of warm engines', 'snapshots');
      gauge('inkproof_engine_memory_bytes', 'Memory that warm engines hold', 'memoryBytes');
    },
  };
}
