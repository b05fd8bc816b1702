/** A conversion's result, for rooms that store it. */

import { ApiError } from '#platform/errors.ts';
import type { SourceMap } from '#shared/api/conversion.ts';
import { type Storage, StorageNotFound } from '../../storage/storage.ts';
import type { Database } from '../database.ts';
import { figureKey, pdfKey } from '../present.ts';
import { getConversion } from '../queue/store.ts';

interface Delivered {
  latex: string;
  figures: { name: string; bytes: Uint8Array }[];
  pdf: Uint8Array;
  sourceMap: SourceMap;
}

/** Null if none of the owners has such a conversion, or its result does not exist (yet, or any more). */
export async function findDelivered(
  { db, storage }: { db: Database; storage: Storage },
  id: string,
  owners: readonly string[],
): Promise<Delivered | null> {
  try {
    const { result } = await getConversion(db, id, owners);
    if (!result) return null;
    const figures = [];
    for (const { name } of result.figures)
      figures.push({ name, bytes: await storage.getBytes(figureKey(result, name)) });
    const pdf = await storage.getBytes(pdfKey(result));
    const { latex, lines = [], doubtful = [] } = result;
    return { latex, figures, pdf, sourceMap: { lines, doubtful } };
  } catch (error) {
    const isDeleted =
      error instanceof StorageNotFound || (error instanceof ApiError && error.code === 'NOT_FOUND');
    if (isDeleted) return null;
    throw error;
  }
}
