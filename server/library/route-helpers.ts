/** Helpers for this room's routes. */
import { Readable } from 'node:stream';
import { z } from '@hono/zod-openapi';
import type { Database } from '#server/database/database.ts';
import { problem, refusals } from '#server/http/answer/describe-answers.ts';
import { type Storage, StorageNotFound } from '#server/storage/storage.ts';
import type { Typesetter } from '#typesetting/index.ts';
import type { CreateDeps } from './documents/create-document.ts';
import type { Exchanger } from './exchange/exchanger.ts';
import { fileNotFound } from './ids.ts';

export interface LibraryRouteDeps {
  db: Database;
  storage: Storage;
  findDelivered: CreateDeps['findDelivered'];
  redrawPicture: CreateDeps['redrawPicture'];
  typesetter: Pick<Typesetter, 'compile'>;
  exchanger: Exchanger;
}

export { notFound, problem, refusals } from '#server/http/answer/describe-answers.ts';

export const tags = ['Library'];
export const IdParams = z.object({ id: z.string() });
export const NumberParams = IdParams.extend({ number: z.coerce.number().int().min(1).max(2_147_483_647) });

/** For private content, which no cache may store. */
export const privateHeaders = { 'Cache-Control': 'private, no-store' };

export const refusalsWithLimit = {
  ...refusals,
  403: problem('USER_BANNED; DOCUMENT_LIMIT_EXCEEDED.'),
};
export const invalid = problem('INVALID_INPUT.');

export const jsonBody = <T extends z.ZodType>(schema: T) => ({
  body: { required: true as const, content: { 'application/json': { schema } } },
});
export const answer = <T extends z.ZodType>(description: string, schema: T) => ({
  description,
  content: { 'application/json': { schema } },
});
export const file = (types: readonly string[], description: string) => ({
  description,
  content: Object.fromEntries(types.map((type) => [type, { schema: z.string().meta({ format: 'binary' }) }])),
});

/** @throws ApiError NOT_FOUND if it has just been deleted */
export async function openFile(storage: Storage, key: string): Promise<ReadableStream<Uint8Array>> {
  try {
    return Readable.toWeb(await storage.getStream(key)) as ReadableStream<Uint8Array>;
  } catch (error) {
    if (error instanceof StorageNotFound) throw fileNotFound();
    throw error;
  }
}
