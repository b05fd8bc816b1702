/** A counted number of places; who finds none free waits in line. */
export interface Slots {
  /** @throws the signal's reason when it is aborted while waiting */
  run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

export function createSlots(count: number): Slots {
  let free = count;
  const line: (() => void)[] = [];
  const take = async (signal: AbortSignal) => {
    signal.throwIfAborted();
    if (free > 0) {
      free--;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const handleAbort = () => {
        line.splice(line.indexOf(enter), 1);
        reject(signal.reason);
      };
      const enter = () => {
        signal.removeEventListener('abort', handleAbort);
        resolve();
      };
      signal.addEventListener('abort', handleAbort, { once: true });
      line.push(enter);
    });
  };
  const give = () => {
    const next = line.shift();
    // the place goes from hand to hand: nobody can step in between
    if (next) next();
    else free++;
  };
  return {
    async run(signal, work) {
      await take(signal);
      try {
        return await work();
      } finally {
        give();
      }
    },
  };
}
