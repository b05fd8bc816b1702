/** Limits on the number of sessions: in total, per network, and per owner. */

export interface SlotLimits {
  perOwner: number;
  perNetwork: number;
  inAll: number;
}

type SlotRefusal = 'own-limit' | 'full';

export interface SessionSlots {
  readonly count: number;
  /** @returns a function that releases the slot, or why there is none */
  take(owner: string, network: string): (() => void) | SlotRefusal;
}

export function createSessionSlots(limits: SlotLimits): SessionSlots {
  const owners = new Map<string, number>();
  const networks = new Map<string, number>();
  let count = 0;
  return {
    get count() {
      return count;
    },
    take(owner, network) {
      if (count >= limits.inAll) return 'full';
      const isOverOwnLimit =
        (owners.get(owner) ?? 0) >= limits.perOwner || (networks.get(network) ?? 0) >= limits.perNetwork;
      if (isOverOwnLimit) return 'own-limit';
      count++;
      add(owners, owner, 1);
      add(networks, network, 1);
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        count--;
        add(owners, owner, -1);
        add(networks, network, -1);
      };
    },
  };
}

function add(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const next = (counts.get(key) ?? 0) + by;
  if (next > 0) counts.set(key, next);
  else counts.delete(key);
}
