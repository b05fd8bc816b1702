/** How a document is compiled once its turn has come: cold today; warm engines move in behind this interface. */
import type { EngineChoice } from './engine.ts';
import type { Watch } from './run-boxed.ts';
import type { Asset, CompileResult, Engine } from './typesetter.ts';

export interface StrategyJob {
  latex: string;
  assets: readonly Asset[];
  engine: Engine;
  substituted?: EngineChoice['substituted'];
  /** One user's warm engine never serves another's files: strategies key by it. */
  owner: string;
}

/** A result with the number of TeX passes it took, for the metrics. */
export type StrategyResult = Exclude<CompileResult, { kind: 'refused' }> & { passes?: number };

export interface Strategy {
  readonly name: 'cold' | 'one-shot' | 'fork-server';
  /** Ends within the watch's deadline and leaves no file and no process of the job behind. */
  compile(job: StrategyJob, watch: Watch): Promise<StrategyResult>;
  close(): Promise<void>;
}
