/** Prometheus metrics of compile sessions. */
import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

type ShownKind = 'pages' | 'pass' | 'final' | 'failed';

export interface SessionMetrics {
  /** `seconds` since the version was received. */
  shown(kind: ShownKind, seconds: number): void;
  superseded(): void;
  dropped(): void;
  resynced(): void;
}

/** @param slots read at scrape time */
export function createSessionMetrics(registry: Registry, slots: { count: number }): SessionMetrics {
  const registers = [registry];
  new Gauge({
    name: 'inkproof_compile_sessions',
    help: 'Open compile sessions',
    registers,
    collect() {
      this.set(slots.count);
    },
  });
  const seconds = new Histogram({
    name: 'inkproof_compile_session_seconds',
    help: 'Time from an edit to its first visible result, by kind of result',
    labelNames: ['shown'] as const,
    buckets: [0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 15, 30],
    registers,
  });
  const count = (name: string, help: string) => new Counter({ name, help, registers });
  const superseded = count(
    'inkproof_compile_session_superseded_total',
    'Versions skipped because a newer one replaced them',
  );
  const dropped = count(
    'inkproof_compile_session_dropped_total',
    'PDFs skipped because the client was reading slowly',
  );
  const resynced = count('inkproof_compile_session_resyncs_total', 'Times the whole text was requested');
  return {
    shown: (kind, duration) => seconds.observe({ shown: kind }, duration),
    superseded: () => superseded.inc(),
    dropped: () => dropped.inc(),
    resynced: () => resynced.inc(),
  };
}
