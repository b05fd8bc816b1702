/** The typesetter's figures for Prometheus. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { CompileResult, Engine } from './typesetter.ts';

export interface CompileMetrics {
  finished(engine: Engine, outcome: CompileResult['kind'], seconds: number, passes: number): void;
  refused(): void;
  /** A job was answered without a compile of its own. */
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
  if (!registry) return { finished() {}, refused() {}, spared() {} };
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
    buckets: [0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 32],
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
    finished(engine, outcome, duration, passes) {
      compiles.inc({ engine, outcome });
      seconds.observe({ engine }, duration);
      passCount.inc({ engine }, passes);
    },
    refused: () => refusals.inc(),
    spared: (how) => spared.inc({ how }),
  };
}
