/** Prometheus metrics of this process. Labels never carry ids, names or anything a person has sent. */
import { collectDefaultMetrics, Registry } from 'prom-client';

/** Every metric of the product registers here; /metrics prints it. Names begin with `inkproof_`. */
export const metrics = new Registry();

collectDefaultMetrics({ register: metrics });
