/**
 * Rotated pages: each is read in the position that a user chose. And pages that are read again because they
 * were sideways or upside down: the files are sent once more, because they were deleted when their document was
 * delivered, and cost nothing.
 */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { invalidInput } from '#platform/errors.ts';
import type { Quarters } from '#reading/index.ts';
import type { Transaction } from '../database.ts';
import { listPages, lockOwned, noteReread } from '../queue/store.ts';
import type { StoredFile } from '../schema.ts';
import type { PlannedPage } from '../stations/plan-pages.ts';

/** Page number → degrees clockwise. */
export type Turns = ReadonlyMap<number, Quarters>;

/** How often the same pages are read again free of charge; there are three other orientations. */
const maxRereads = 3;

/** Reads `2:90,5:180`. @throws ApiError INVALID_INPUT */
export function parseTurns(value: string | undefined): Turns {
  const turns = new Map<number, Quarters>();
  for (const part of (value ?? '').split(',').map((one) => one.trim())) {
    if (part === '') continue;
    const [, page, degrees] = /^(\d{1,6}):(0|90|180|270)$/.exec(part) ?? [];
    if (page === undefined)
      throw invalidInput('turns must be pages with degrees clockwise, such as “2:90,5:180”.');
    turns.set(Number(page), ((Number(degrees) / 90) % 4) as Quarters);
  }
  return turns;
}

export async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}

/**
 * Checks that these pages were delivered in an earlier conversion of the same person, and counts that they are
 * read again.
 * @returns in which orientation each page was read there, if decided, and how often they have been read again
 * @throws ApiError NOT_FOUND, INVALID_INPUT
 */
export async function claimReread(
  tx: Transaction,
  { id, owners }: { id: string; owners: readonly string[] },
  files: readonly StoredFile[],
  pages: readonly PlannedPage[],
): Promise<{ shown: Turns; rereads: number }> {
  const earlier = await lockOwned(tx, id, owners);
  const read = await listPages(tx, id);
  const isSame =
    files.length === earlier.files.length &&
    files.every(({ digest }, at) => digest !== undefined && digest === earlier.files[at]!.digest) &&
    pages.length === read.length &&
    pages.every(
      ({ fileIndex, pageIndex }, at) =>
        fileIndex === read[at]!.fileIndex && pageIndex === read[at]!.pageIndex,
    );
  if (!isSame)
    throw invalidInput(
      'These are other pages than those of the earlier conversion, so reading them is not free of charge. Convert them on their own.',
    );
  if (earlier.state !== 'delivered' || read.some(({ state }) => state !== 'read'))
    throw invalidInput('Only a document that was delivered with all its pages is read again free of charge.');
  if (rereadsOf(earlier.files) >= maxRereads)
    throw invalidInput(
      'These pages were read again three times. Turn them before you send them, and convert them on their own.',
    );
  const rereads = rereadsOf(earlier.files) + 1;
  await noteReread(tx, earlier, rereads);
  const turns = new Map<number, Quarters>();
  for (const { number, transcription, fileIndex, pageIndex } of read) {
    const turn = transcription?.turn ?? earlier.files[fileIndex]?.turns?.[pageIndex];
    if (turn !== undefined) turns.set(number, turn);
  }
  return { shown: turns, rereads };
}

const rereadsOf = (files: readonly StoredFile[]) => Math.max(0, ...files.map(({ rereads }) => rereads ?? 0));

/**
 * The files with the decisions about their pages.
 * @param turns from how each page was shown
 * @param shown the orientation then; null if the pages were never shown
 * @throws ApiError INVALID_INPUT for a page that does not exist
 */
export function turnPages(
  files: readonly StoredFile[],
  pages: readonly PlannedPage[],
  turns: Turns,
  shown: Turns | null,
  rereads: number,
): StoredFile[] {
  for (const number of turns.keys())
    if (!pages.some((page) => page.number === number))
      throw invalidInput(`turns names page ${number}, but there is none.`);
  return files.map((file, index) => {
    const own = pages.flatMap(({ number, fileIndex, pageIndex }): [number, Quarters][] => {
      if (fileIndex !== index || !(turns.has(number) || shown?.has(number))) return [];
      const turn = (turns.get(number) ?? 0) + (shown?.get(number) ?? 0);
      return [[pageIndex, (turn % 4) as Quarters]];
    });
    return {
      ...file,
      ...(own.length > 0 ? { turns: Object.fromEntries(own) } : {}),
      ...(rereads > 0 ? { rereads } : {}),
    };
  });
}
