/** How a document is compiled once its turn has come: by warm engines (fork-server) or cold. */

import type { Watch } from '../sandbox/run-boxed.ts';
import type { Asset, CompileProgress, CompileResult, Engine } from '../typesetter.ts';
import type { EngineChoice } from './engine.ts';
import type { AuxFiles } from './passes.ts';

export interface StrategyJob {
  latex: string;
  assets: readonly Asset[];
  engine: Engine;
  substituted?: EngineChoice['substituted'];
  /** One user's warm engine never serves another's files: strategies key by it. */
  owner: string;
  /** A `background` job is not followed by edits. */
  priority?: 'interactive' | 'background';
  onProgress?: (progress: CompileProgress) => void;
  wantsPages?: boolean;
  /** Auxiliary files of an earlier compile of this very text: read if no warm engine remembers them. */
  before?: AuxFiles;
}

export const strategyNames = ['fork-server', 'cold'] as const;
export type StrategyName = (typeof strategyNames)[number];

/**
 * A result with the number of TeX passes it took, for the metrics, and with what the last of them left for
 * helpers.
 */
export type StrategyResult = (
  | Exclude<CompileResult, { kind: 'refused' }>
  /** It ran out of elapsed time before it had used its processor time. */
  | { kind: 'starved' }
) & {
  passes?: number;
  left?: AuxFiles;
};

export interface Strategy {
  readonly name: StrategyName;
  /** Ends within the watch's budget and leaves no file and no process of the job behind. */
  compile(job: StrategyJob, watch: Watch): Promise<StrategyResult>;
  close(): Promise<void>;
}
