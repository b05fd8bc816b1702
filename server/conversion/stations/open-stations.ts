/** Opens what a process needs to convert; the server's worker and the command line use the same. */
import { availableParallelism } from 'node:os';
import type { Logger } from 'pino';
import type { VendorGate } from '#platform/ai/vendor-gate.ts';
import type { Env } from '#platform/env.ts';
import type { Typesetter } from '#typesetting/index.ts';
import { createPagePreparer } from '#reading/pages/page-preparer.ts';
import type { Repairer } from '#proving/index.ts';
import type { Stations } from './stations.ts';
import { createTranscriber, type ReaderId } from '#reading/create-transcriber.ts';

export interface OpenStationsOptions {
  env: Pick<Env, 'AI_PROVIDER' | 'AI_MODEL' | 'AI_BASE_URL' | 'AI_API_KEY'>;
  /** Default: the vision model when one is configured, else embedded. */
  reader?: ReaderId;
  /** Stays the caller's to close. */
  typesetter: Typesetter;
  repairer?: Repairer;
  /** Of the model's vendor, where others ask it too. */
  gate?: VendorGate;
  logger: Logger;
}

export interface OpenedStations extends Stations {
  close(): Promise<void>;
}

/** Pages prepared side by side; two at least, so that one slow page is not the only one. */
function preparerCount(): number {
  return Math.max(2, Math.min(8, availableParallelism() - 1));
}

/** @throws ApiError INVALID_INPUT when the reader that is asked for is not configured */
export function openStations(options: OpenStationsOptions): OpenedStations {
  const { env, reader, typesetter, repairer, logger, gate } = options;
  const onInkFailure = (error: unknown) => logger.error({ err: error }, 'reading handwriting failed');
  const transcriber = createTranscriber(env, reader, onInkFailure, gate);
  const preparer = createPagePreparer({
    concurrency: preparerCount(),
    // a model reads the picture and does not say where
    findsInk: transcriber.id === 'vision-model',
  });
  return {
    transcriber,
    preparer,
    typesetter,
    ...(repairer ? { repairer } : {}),
    logger,
    async close() {
      await transcriber.close();
      await preparer.close();
    },
  };
}
