/** The stations from a picture to a document without an AI key, using the shipped weights. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pino from 'pino';
import { createTypesetter, type Typesetter } from '#typesetting/index.ts';
import { type OpenedStations, openStations } from '../stations/open-stations.ts';

export interface EmbeddedStations {
  /** A folder for conversions. */
  folder: string;
  stations: OpenedStations;
  typesetter: Typesetter;
  close: () => Promise<void>;
}

export async function openEmbeddedStations(): Promise<EmbeddedStations> {
  const folder = mkdtempSync(path.join(tmpdir(), 'inkproof-embedded-'));
  const typesetter = await createTypesetter({ workDir: folder });
  const stations = openStations({
    env: {},
    reader: 'embedded',
    typesetter,
    logger: pino({ level: 'silent' }),
  });
  return {
    folder,
    stations,
    typesetter,
    async close() {
      await stations.close();
      await typesetter.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
