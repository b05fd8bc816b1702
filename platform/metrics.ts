/** Prometheus metrics of this process. Labels never carry ids, names or anything a person has sent. */
import { collectDefaultMetrics, Registry } from 'prom-client';

/**
 * The registry that every part of one server registers in; /metrics prints it. Names begin with `inkproof_`, but for
 * the process's own. One a server, so that a process may hold several, one after the other or side by side.
 */
export function createMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
