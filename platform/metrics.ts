/** Prometheus metrics of this process. Labels never carry ids, names or anything a person has sent. */
import { collectDefaultMetrics, Registry } from 'prom-client';

/**
 * The registry for every part of one server; /metrics prints it. Names begin with `inkproof_`, except the
 * process's own. One per server, so that a process may run several, one after the other or at once.
 */
export function createMetrics(): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return registry;
}
