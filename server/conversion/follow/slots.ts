/** Counts what callers hold at once in this process, per caller and per network. */
import { ApiError } from '#platform/errors.ts';
import type { Caller } from '../../http/types.ts';

export interface Slots {
  /**
   * Takes one slot. @returns its release @throws ApiError TOO_MANY_REQUESTS if the caller or its network holds
   * all it may
   */
  enter(caller: Caller): () => void;
}

export interface SlotLimits {
  perCaller: number;
  perNetwork: number;
  /** The message to a refused caller, and after how many seconds it may retry. */
  message: string;
  retryAfterSeconds: number;
}

export function createSlots({ perCaller, perNetwork, message, retryAfterSeconds }: SlotLimits): Slots {
  const callers = new Map<string, number>();
  const networks = new Map<string, number>();
  const add = (counts: Map<string, number>, key: string, change: number) => {
    const count = (counts.get(key) ?? 0) + change;
    if (count > 0) counts.set(key, count);
    else counts.delete(key);
  };
  return {
    enter({ id, network }) {
      if ((callers.get(id) ?? 0) >= perCaller || (networks.get(network) ?? 0) >= perNetwork)
        throw new ApiError('TOO_MANY_REQUESTS', { message, retryAfterSeconds });
      add(callers, id, 1);
      add(networks, network, 1);
      return () => {
        add(callers, id, -1);
        add(networks, network, -1);
      };
    },
  };
}
