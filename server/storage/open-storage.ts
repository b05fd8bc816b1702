import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Env } from '#platform/env.ts';
import { type Outages, silentOutages } from '#platform/outages.ts';
import { explainFolderFailure, openFolderStorage } from './folder-storage.ts';
import { guardStorage } from './guard-storage.ts';
import { explainS3Failure, openS3Storage, type S3Options } from './s3-storage.ts';
import type { Storage } from './storage.ts';

type StorageSettings = Pick<Env, 'STORAGE_URL' | 'DATA_DIR' | 'AWS_ACCESS_KEY_ID' | 'AWS_SECRET_ACCESS_KEY'>;

/** Used when the address has none; Amazon's default, and ignored by most other servers. */
const defaultRegion = 'us-east-1';

/**
 * Reads `s3://BUCKET[/PREFIX][?endpoint=http://…&region=…]`.
 * @throws Error when the bucket is missing or a parameter is unknown.
 */
export function parseS3Address(address: string): Omit<S3Options, 'credentials'> {
  const url = new URL(address);
  if (!url.hostname)
    throw new Error('STORAGE_URL: an s3:// address begins with its bucket, s3://BUCKET/PREFIX');
  const prefix = decodeURIComponent(url.pathname).replace(/^\/+|\/+$/g, '');
  for (const name of url.searchParams.keys())
    if (name !== 'endpoint' && name !== 'region')
      throw new Error(`STORAGE_URL: unknown parameter "${name}"; endpoint and region are known`);
  const endpoint = url.searchParams.get('endpoint');
  return {
    bucket: url.hostname,
    prefix: prefix ? `${prefix}/` : '',
    region: url.searchParams.get('region') || defaultRegion,
    ...(endpoint ? { endpoint } : {}),
  };
}

/**
 * Opens the storage at STORAGE_URL: `file:FOLDER` (relative to the working folder), `s3://…`, or, if unset, the folder
 * `files` under DATA_DIR.
 * @param outages notified when it becomes unavailable, and when it works again
 * @throws Error for an unsupported address.
 */
export function openStorage(env: StorageSettings, outages: Outages = silentOutages): Storage {
  const address = env.STORAGE_URL;
  if (!address?.startsWith('s3://'))
    return guardStorage(openFolderStorage(findFolder(env)), { outages, explain: explainFolderFailure });
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  const storage = openS3Storage({
    ...parseS3Address(address),
    ...(accessKeyId && secretAccessKey ? { credentials: { accessKeyId, secretAccessKey } } : {}),
  });
  return guardStorage(storage, { outages, explain: explainS3Failure });
}

function findFolder({ STORAGE_URL: address, DATA_DIR }: StorageSettings): string {
  if (!address) return path.join(DATA_DIR, 'files');
  if (address.startsWith('file://')) return fileURLToPath(address);
  if (address.startsWith('file:')) return address.slice('file:'.length);
  throw new Error('STORAGE_URL: begin it with file: or s3://');
}
