/**
 * A server on loopback that implements the part of S3 that we use through the vendor's own SDK: objects, paged
 * listing, batch deletion, multipart uploads. Requests without a version 4 signature are refused; the signature
 * itself is not recomputed. Everything is kept in memory.
 */

import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { escapeMarkup } from '#shared/escape-markup.ts';

export interface S3StandIn {
  /** For STORAGE_URL: `s3://bucket/prefix?endpoint=…`. */
  storageUrl(prefix: string): string;
  bucket: string;
  /** Objects by key, as in the bucket. */
  objects: Map<string, Buffer>;
  /** Number of multipart uploads neither completed nor aborted. */
  openUploads(): number;
  /** `METHOD operation` of every request so far. */
  calls: string[];
  close(): Promise<void>;
}

interface Options {
  /** Keys per page of a listing; small, so that paging is exercised. */
  pageSize?: number;
  /** Answers DeleteObjects with NotImplemented, as some servers do. */
  hasBatchDelete?: boolean;
}

const signature =
  /^AWS4-HMAC-SHA256 Credential=[^,]+\/aws4_request, ?SignedHeaders=[^,]+, ?Signature=[0-9a-f]{64}$/;
const unescapeXml = (text: string): string =>
  text
    .replace(/&#(x?)([\da-f]+);/gi, (_, hex, code) =>
      String.fromCodePoint(Number.parseInt(code, hex ? 16 : 10)),
    )
    .replace(
      /&(lt|gt|quot|apos|amp);/g,
      (_, name) => ({ lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' })[name as 'lt'],
    );

export async function startS3StandIn({
  pageSize = 1000,
  hasBatchDelete = true,
}: Options = {}): Promise<S3StandIn> {
  const bucket = 'inkproof-test';
  const objects = new Map<string, Buffer>();
  const uploads = new Map<string, Map<number, Buffer>>();
  const calls: string[] = [];

  const server = createServer(async (request, response) => {
    try {
      await handle(request, response);
    } catch {
      response.destroy(); // the client disconnected mid-request
    }
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://stand-in');
    const [, requestBucket = '', ...rest] = url.pathname.split('/');
    const key = decodeURIComponent(rest.join('/'));
    const query = url.searchParams;
    const body = await buffer(request);
    const xml = (status: number, text: string) => {
      response.writeHead(status, { 'content-type': 'application/xml' });
      response.end(`<?xml version="1.0" encoding="UTF-8"?>${text}`);
    };
    const fail = (status: number, code: string) =>
      xml(status, `<Error><Code>${code}</Code><Message>${code}</Message></Error>`);
    const operation =
      ['uploads', 'uploadId', 'delete', 'list-type'].find((name) => query.has(name)) ?? 'object';
    calls.push(`${request.method} ${operation}`);
    if (!signature.test(request.headers.authorization ?? '')) return fail(403, 'AccessDenied');
    if (requestBucket !== bucket) return fail(404, 'NoSuchBucket');

    switch (`${request.method} ${operation}`) {
      case 'GET list-type':
        return xml(200, list(query.get('prefix') ?? '', query.get('continuation-token') ?? ''));
      case 'POST delete': {
        if (!hasBatchDelete) return fail(501, 'NotImplemented');
        const isChecked = Object.keys(request.headers).some(
          (name) => name === 'content-md5' || name.startsWith('x-amz-checksum-'),
        );
        if (!isChecked) return fail(400, 'InvalidRequest');
        for (const [, found = ''] of body.toString('utf8').matchAll(/<Key>([^<]*)<\/Key>/g))
          objects.delete(unescapeXml(found));
        return xml(200, '<DeleteResult></DeleteResult>');
      }
      case 'POST uploads': {
        const id = randomUUID();
        uploads.set(id, new Map());
        return xml(
          200,
          `<InitiateMultipartUploadResult><Bucket>${bucket}</Bucket><Key>${escapeMarkup(key)}</Key><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
        );
      }
      case 'PUT uploadId': {
        const parts = uploads.get(query.get('uploadId') ?? '');
        if (!parts) return fail(404, 'NoSuchUpload');
        parts.set(Number(query.get('partNumber')), body);
        response.writeHead(200, { etag: `"part-${query.get('partNumber')}"` });
        return void response.end();
      }
      case 'POST uploadId': {
        const id = query.get('uploadId') ?? '';
        const parts = uploads.get(id);
        if (!parts) return fail(404, 'NoSuchUpload');
        objects.set(key, Buffer.concat([...parts].sort(([a], [b]) => a - b).map(([, part]) => part)));
        uploads.delete(id);
        return xml(
          200,
          `<CompleteMultipartUploadResult><Key>${escapeMarkup(key)}</Key><ETag>"whole"</ETag></CompleteMultipartUploadResult>`,
        );
      }
      case 'DELETE uploadId':
        uploads.delete(query.get('uploadId') ?? '');
        response.writeHead(204);
        return void response.end();
      case 'PUT object':
        objects.set(key, body);
        response.writeHead(200, { etag: '"object"' });
        return void response.end();
      case 'DELETE object':
        objects.delete(key);
        response.writeHead(204);
        return void response.end();
      case 'GET object':
      case 'HEAD object': {
        const found = objects.get(key);
        if (!found) return fail(404, 'NoSuchKey');
        response.writeHead(200, { 'content-length': found.length, etag: '"object"' });
        return void response.end(request.method === 'GET' ? found : undefined);
      }
      default:
        return fail(501, 'NotImplemented');
    }
  }

  function list(prefix: string, after: string): string {
    const keys = [...objects.keys()]
      .filter((key) => key.startsWith(prefix) && Buffer.compare(Buffer.from(key), Buffer.from(after)) > 0)
      .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const page = keys.slice(0, pageSize);
    const contents = page.map(
      (key) => `<Contents><Key>${escapeMarkup(key)}</Key><Size>${objects.get(key)!.length}</Size></Contents>`,
    );
    const isTruncated = keys.length > page.length;
    const next = isTruncated
      ? `<NextContinuationToken>${escapeMarkup(page.at(-1)!)}</NextContinuationToken>`
      : '';
    return `<ListBucketResult><Name>${bucket}</Name><KeyCount>${page.length}</KeyCount><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`;
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    bucket,
    objects,
    calls,
    openUploads: () => uploads.size,
    storageUrl: (prefix) =>
      `s3://${bucket}/${prefix}?endpoint=${encodeURIComponent(endpoint)}&region=eu-test-1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
