/** Reads a sample page with the reader and weights that ship, into what the converter shows as its result. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  inspectFile,
  type PagePicture,
  preparePage,
  type TranscribedPage,
  transcribePage,
} from '#reading/index.ts';
import { assembleAndProve, type ProvenDocument } from '#server/conversion/stations/stations.ts';
import { type EmbeddedStations, openEmbeddedStations } from '#server/conversion/testing/embedded-stations.ts';
import { Conversion } from '#shared/api/conversion.ts';
import type { DrawnSample } from './samples.ts';

export interface ReadSample {
  conversion: Conversion;
  /** The page as it was read, upright and straightened: a JPEG. */
  picture: Uint8Array;
}

/** @throws if the page cannot be read, or its LaTeX does not compile */
export async function readSample(sample: DrawnSample): Promise<ReadSample> {
  const opened = await openEmbeddedStations();
  try {
    return await read(opened, sample);
  } finally {
    await opened.close();
  }
}

async function read({ folder, stations }: EmbeddedStations, sample: DrawnSample): Promise<ReadSample> {
  const file = path.join(folder, sample.fileName);
  writeFileSync(file, await sample.draw());
  const { signal } = new AbortController();
  const { kind } = await inspectFile(file, sample.fileName, signal);
  const source = { kind, path: file, index: 0 };
  const picture = preparePage(stations.preparer, source, signal);
  const hints = { pageNumber: 1, pageCount: 1, drawings: 'figure' as const };
  const reading = await transcribePage(stations, source, picture, hints, signal);
  if (reading.kind !== 'read') throw new Error(`The sample ${sample.id} could not be read.`);
  const page = { number: 1, state: 'read' as const, error: null, isBlank: false, transcribed: reading.page };
  const proof = await assembleAndProve(stations, [page], 'samples', signal);
  if (proof.kind !== 'proven') throw new Error(proof.error.error);
  return {
    conversion: toConversion(sample.id, reading.page, proof.document),
    picture: ((await picture()) as PagePicture).preview,
  };
}

function toConversion(id: string, page: TranscribedPage, document: ProvenDocument): Conversion {
  const { latex, pdf, warnings, doubtful, lines } = document;
  return Conversion.parse({
    conversion_id: id,
    state: 'delivered',
    created_at: '',
    pages: [{ number: 1, state: 'read', latex: page.body, warnings: page.warnings, doubtful: page.doubtful }],
    result: {
      latex,
      pdf_base64: Buffer.from(pdf).toString('base64'),
      warnings,
      figures: [],
      doubtful,
      source_map: { lines, doubtful },
    },
    last_event_id: '0',
  });
}
