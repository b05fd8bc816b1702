/** Opens what a process needs to convert; used by the server's worker and the command line. */
import type { Repairer } from '#proving/index.ts';
import { openReader, type ReaderOptions } from '#reading/index.ts';
import type { Typesetter } from '#typesetting/index.ts';
import type { Stations } from './stations.ts';

export interface OpenStationsOptions extends Omit<ReaderOptions, 'settings'> {
  /** For the vision model. */
  env: NonNullable<ReaderOptions['settings']>;
  /** Closed by the caller. */
  typesetter: Typesetter;
  repairer?: Repairer;
}

export interface OpenedStations extends Stations {
  close(): Promise<void>;
}

/** @throws ApiError INVALID_INPUT if the requested reader is not configured */
export function openStations({ env, typesetter, repairer, ...options }: OpenStationsOptions): OpenedStations {
  const { transcriber, preparer, close } = openReader({ settings: env, ...options });
  const { logger } = options;
  return { transcriber, preparer, typesetter, ...(repairer ? { repairer } : {}), logger, close };
}
