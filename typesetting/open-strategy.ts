/** Chooses the first way of compiling that works here. */
import type { Logger } from 'pino';
import { memoryAllowance } from '#platform/work/memory.ts';
import { createColdStrategy } from './engines/cold.ts';
import type { Strategy, StrategyName } from './engines/strategy.ts';
import { createForkServerStrategy } from './fork-server/fork-server.ts';
import type { EngineMetrics } from './metrics.ts';
import type { Sandbox } from './sandbox/open-sandbox.ts';

/** The fastest first. */
export const defaultStrategies: readonly StrategyName[] = ['fork-server', 'cold'];

/** Boxes with warm engines that may stay in addition to the jobs' own. */
export function countStaying(names: readonly StrategyName[]): number {
  return names.some((name) => name !== 'cold') ? maxStaying : 0;
}

/** At 40 to 180 MB per engine, the memory budget is the effective limit. */
const maxStaying = 12;

interface Options {
  sandbox: Sandbox;
  workFolder: string;
  names: readonly StrategyName[];
  metrics: EngineMetrics;
  logger?: Logger;
}

/** Tries the strategies in order; cold if none of them works, because it needs only the sandbox. */
export function openStrategy({ sandbox, workFolder, names, metrics, logger }: Options): Strategy {
  for (const name of names) {
    if (name === 'cold') break;
    if (name === 'fork-server' && sandbox.stayingCapacity > 0 && sandbox.canPreload)
      return createForkServerStrategy(sandbox, workFolder, {
        memoryBudgetBytes: memoryAllowance().engineBytes,
        metrics,
      });
    logger?.info({ strategy: name }, 'this way of compiling does not work here');
  }
  return createColdStrategy(sandbox, workFolder);
}
