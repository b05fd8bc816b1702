/** Work that is repeated as long as a process lives, such as the sweeps. */
import type { Logger } from 'pino';

export interface Repeated {
  /** Starts no further round; resolves when the current one has ended. */
  stop(): Promise<void>;
}

interface RepeatOptions {
  /** From the end of one round to the beginning of the next, in ms. */
  everyMs: number;
  logger: Logger;
  /** Logged when a round fails, e.g. 'sweeping failed'; the next round runs anyway. */
  failure: string;
}

/** Runs the first round at once. Rounds of one process never overlap; several processes may each run theirs. */
export function repeat(round: () => Promise<unknown>, { everyMs, logger, failure }: RepeatOptions): Repeated {
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const run = async () => {
    try {
      await round();
    } catch (error) {
      logger.error({ err: error }, `${failure}; will try again`);
    }
    if (!isStopped)
      timer = setTimeout(() => {
        current = run();
      }, everyMs);
  };
  let current = run();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await current;
    },
  };
}
