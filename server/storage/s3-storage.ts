/** Stores objects in a bucket of S3, or of any server with the same protocol. */

import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { loadLater } from '#platform/load-later.ts';
import { splitKey, splitPrefix } from './keys.ts';
import { type Storage, StorageNotFound, type StoredObject } from './storage.ts';

export interface S3Options {
  bucket: string;
  /** Put before every key; empty, or ends with `/`. */
  prefix: string;
  region: string;
  /** A server other than Amazon's; the bucket is then part of the path. */
  endpoint?: string;
  /** If unset, the SDK uses its defaults (environment, profile, instance role). */
  credentials?: { accessKeyId: string; secretAccessKey: string };
}

/** S3's minimum part size is 5 MiB; two of them in flight limit the memory of an upload. */
const partBytes = 8 * 1024 * 1024;
const partsInFlight = 2;
/** Error codes of servers that lack DeleteObjects, or need an older checksum for it. */
const noBatchDelete = new Set(['NotImplemented', 'MethodNotAllowed', 'MissingContentMD5', 'InvalidRequest']);

/** Error codes that mean the object or the request is at fault, not the server. */
const ownFault = new Set([400, 404, 409, 412, 416]);

const loadS3 = () => loadLater('@aws-sdk/client-s3') as typeof import('@aws-sdk/client-s3');

/** Why an error means that the S3 storage is unavailable, for the operator; null if it does not. */
export function explainS3Failure(error: unknown): string | null {
  if (error instanceof StorageNotFound) return null;
  const { S3ServiceException } = loadS3();
  if (error instanceof S3ServiceException) {
    const { httpStatusCode: status = 0 } = error.$metadata;
    const isBucketMissing = error.name === 'NoSuchBucket';
    return ownFault.has(status) && !isBucketMissing ? null : `its server answered ${error.name} (${status})`;
  }
  const { code = '', name } = error as NodeJS.ErrnoException;
  const isNetwork =
    /^E(?:CONN|TIMEDOUT|NOTFOUND|AI_AGAIN|HOSTUNREACH|NETUNREACH)/.test(code) || name === 'TimeoutError';
  const hasNoKey = name === 'CredentialsProviderError';
  return isNetwork || hasNoKey ? `its server could not be asked (${code || name})` : null;
}

/** Opens a bucket; no request is sent before the first call. */
export function openS3Storage(options: S3Options): Storage {
  const { bucket, prefix, region, endpoint, credentials } = options;
  const {
    DeleteObjectCommand,
    DeleteObjectsCommand,
    GetObjectCommand,
    ListObjectsV2Command,
    PutObjectCommand,
    S3Client,
    S3ServiceException,
  } = loadS3();
  const { Upload } = loadLater('@aws-sdk/lib-storage') as typeof import('@aws-sdk/lib-storage');
  const client = new S3Client({
    region,
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    ...(credentials ? { credentials } : {}),
    // not all servers other than Amazon's support the newer checksums
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });

  const place = (key: string) => ({ Bucket: bucket, Key: prefix + splitKey(key).join('/') });

  async function put(
    key: string,
    body: Readable | Uint8Array,
    { contentType }: { contentType?: string } = {},
  ): Promise<StoredObject> {
    const where = { ...place(key), ...(contentType ? { ContentType: contentType } : {}) };
    if (!(body instanceof Readable)) {
      await client.send(new PutObjectCommand({ ...where, Body: body, ContentLength: body.byteLength }));
      return { key, sizeBytes: body.byteLength };
    }
    // counts the bytes that pass; destroying either end destroys the other
    let sizeBytes = 0;
    const counted = Readable.from(
      (async function* () {
        for await (const chunk of body) {
          sizeBytes += chunk.length;
          yield chunk;
        }
      })(),
      { objectMode: false },
    );
    const upload = new Upload({
      client,
      params: { ...where, Body: counted },
      partSize: partBytes,
      queueSize: partsInFlight,
      leavePartsOnError: false,
    });
    try {
      await upload.done();
      return { key, sizeBytes };
    } catch (error) {
      body.destroy();
      await upload.abort().catch(() => {}); // already aborted by its own clean-up
      throw error;
    }
  }

  async function getStream(key: string): Promise<Readable> {
    try {
      const answer = await client.send(new GetObjectCommand(place(key)));
      return answer.Body as Readable; // in Node the body is a Readable
    } catch (error) {
      if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404)
        throw new StorageNotFound(key);
      throw error;
    }
  }

  async function* list(keyPrefix: string): AsyncGenerator<StoredObject> {
    const full = `${prefix}${splitPrefix(keyPrefix).join('/')}/`;
    let token: string | undefined;
    do {
      const page = await client.send(
        new ListObjectsV2Command({ Bucket: bucket, Prefix: full, ContinuationToken: token }),
      );
      for (const item of page.Contents ?? [])
        yield { key: (item.Key ?? '').slice(prefix.length), sizeBytes: item.Size ?? 0 };
      token = page.IsTruncated ? page.NextContinuationToken : undefined;
    } while (token);
  }

  async function deleteBatch(keys: string[]): Promise<void> {
    try {
      const answer = await client.send(
        new DeleteObjectsCommand({
          Bucket: bucket,
          Delete: { Objects: keys.map((key) => ({ Key: prefix + key })), Quiet: true },
        }),
      );
      const failed = answer.Errors?.[0];
      if (failed) throw new Error(`could not delete ${answer.Errors?.length} objects: ${failed.Code}`);
    } catch (error) {
      if (!(error instanceof S3ServiceException) || !noBatchDelete.has(error.name)) throw error;
      for (const key of keys) await client.send(new DeleteObjectCommand(place(key)));
    }
  }

  return {
    put,
    getStream,
    async getBytes(key) {
      return buffer(await getStream(key));
    },
    async withLocalFile(key, use) {
      const folder = await mkdtemp(path.join(tmpdir(), 'inkproof-object-'));
      try {
        const file = path.join(folder, 'object');
        await pipeline(await getStream(key), createWriteStream(file, { mode: 0o600 }));
        return await use(file);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    list,
    async delete(key) {
      await client.send(new DeleteObjectCommand(place(key)));
    },
    async deletePrefix(keyPrefix) {
      let batch: string[] = [];
      const deletions: string[][] = [];
      // listed first: on some servers, deleting while paging may skip keys
      for await (const { key } of list(keyPrefix)) {
        batch.push(key);
        if (batch.length === 1000) {
          deletions.push(batch);
          batch = [];
        }
      }
      if (batch.length) deletions.push(batch);
      for (const keys of deletions) await deleteBatch(keys);
    },
    async check() {
      const key = `check/${randomUUID()}`;
      await put(key, new Uint8Array([1]));
      await client.send(new DeleteObjectCommand(place(key)));
    },
  };
}
