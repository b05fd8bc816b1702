/**
 * The built website. Its files are listed once at boot, so that no request's path ever reaches the file system;
 * pages then get the API's address, the facts of this installation and their content security policy.
 */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Env } from '#platform/env.ts';
import { builtAddresses, isPageAddress } from '#shared/page-addresses.ts';
import { allow } from '../access.ts';
import { notFound } from '../answer/answer-errors.ts';
import { describePagePolicy } from '../answer/security-headers.ts';
import { type ByteRange, parseByteRange } from '../request/byte-range.ts';
import type { AppEnv } from '../types.ts';
import { type BuiltPage, writeRobots, writeSitemap } from './sitemap.ts';
import { gatherSiteFacts, writeFacts } from './write-facts.ts';

const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml',
  '.webmanifest': 'application/manifest+json',
  '.mp4': 'video/mp4',
  '.vtt': 'text/vtt; charset=utf-8',
  '.pdf': 'application/pdf',
};
const compressible = /^(text\/|application\/(json|xml|wasm|manifest)|image\/svg)/;
/** Larger files are sent from the disk as they are; smaller ones are compressed once and cached. */
const maxCompressedBytes = 8_000_000;

interface SiteFile {
  file: string;
  type: string;
  sizeBytes: number;
  etag: string;
  cacheControl: string;
  /** Pages only: the whole text, as sent. */
  html?: { bytes: Buffer<ArrayBuffer>; policy: string };
}

type Encoding = 'br' | 'gzip';

/** The product's `build/client`. */
export const defaultClientFolder = path.resolve(import.meta.dirname, '../../../build/client');

/**
 * Serves the site under every GET address that no earlier route handles. Pages without a file of their own get
 * `__spa-fallback.html`, and so do addresses that are no page: with status 404, and the app says that nothing
 * is there.
 */
export function registerSite(app: OpenAPIHono<AppEnv>, deps: { env: Env; clientFolder?: string }): void {
  const folder = deps.clientFolder ?? defaultClientFolder;
  const files = listFiles(folder, deps.env);
  const compressed = new Map<string, Promise<Buffer<ArrayBuffer>>>();
  const robots = writeRobots(deps.env.PUBLIC_URL);
  const sitemap = writeSitemap(deps.env.PUBLIC_URL, listPages(files));

  app.get('*', allow('anyone'), async (c) => {
    const address = c.req.path;
    if (address === '/api' || address.startsWith('/api/')) throw notFound();
    if (address === '/robots.txt') return c.text(robots, 200, { 'Cache-Control': foundCacheControl });
    if (address === '/sitemap.xml')
      return c.body(sitemap, 200, {
        'Cache-Control': foundCacheControl,
        'Content-Type': 'application/xml; charset=utf-8',
      });
    const page = address.replace(/\/+$/, '') || '/';
    const found = files.get(address) ?? files.get(page) ?? findFallback(files, address);
    if (found === 'unbuilt')
      return c.text('The web site has not been built. Run ./start, or npm run build.\n', 503);
    if (!found) return c.text('There is nothing at this address.\n', 404);
    if (isPageAddress(page, secretAddresses)) {
      c.header('X-Robots-Tag', 'noindex, nofollow');
      c.header('Referrer-Policy', 'no-referrer');
    } else if (found === files.get(fallbackAddress)) c.header('X-Robots-Tag', 'noindex');
    const isOfApp = isPageAddress(page) && !isPageAddress(page, builtAddresses);
    const isKnown = found !== files.get(fallbackAddress) || page === fallbackAddress || isOfApp;
    return isKnown ? sendFile(c, found, compressed) : sendMissingPage(c, found);
  });
}

/** Every page of the app that is not prerendered starts from this one, which has nothing to index. */
const fallbackAddress = '/__spa-fallback.html';
/** For robots.txt and sitemap.xml, which change with the installation. */
const foundCacheControl = 'public, max-age=3600';

/**
 * Pages that anyone with the address can open: search engines exclude them, and the address is not sent to other sites.
 */
const secretAddresses = ['/shared/:token'];

/** An address without a file ending is left to the app. */
function findFallback(files: Map<string, SiteFile>, address: string): SiteFile | 'unbuilt' | undefined {
  if (/\.[a-z0-9]{1,12}$/i.test(address)) return undefined;
  return files.get(fallbackAddress) ?? 'unbuilt';
}

/** The app's page for an unknown address; without scripts it says so by itself (web/app/root.tsx). */
function sendMissingPage(c: Context<AppEnv>, { html, type }: SiteFile): Response {
  c.header('Cache-Control', 'no-cache');
  c.header('Content-Type', type);
  if (html) c.header('Content-Security-Policy', html.policy);
  return c.body(html?.bytes.toString().replace('<html', '<html data-missing=""') ?? '', 404);
}

async function sendFile(
  c: Context<AppEnv>,
  found: SiteFile,
  compressed: Map<string, Promise<Buffer<ArrayBuffer>>>,
): Promise<Response> {
  // the site was rebuilt under a running server: files named by its old pages are gone
  if (!found.html && !existsSync(found.file)) return c.text('There is nothing at this address.\n', 404);
  c.header('Cache-Control', found.cacheControl);
  c.header('ETag', found.etag);
  c.header('Content-Type', found.type);
  if (found.html) c.header('Content-Security-Policy', found.html.policy);
  if (!found.html) c.header('Accept-Ranges', 'bytes');
  if (compressible.test(found.type)) c.header('Vary', 'Accept-Encoding', { append: true });
  if (
    c.req
      .header('If-None-Match')
      ?.split(/\s*,\s*/)
      .includes(found.etag)
  )
    return c.body(null, 304);
  const range = chooseRange(c, found);
  if (range.kind === 'outside') {
    c.header('Content-Range', `bytes */${found.sizeBytes}`);
    return c.body(null, 416);
  }
  if (range.kind === 'part') {
    const { first, last } = range;
    c.header('Content-Range', `bytes ${first}-${last}/${found.sizeBytes}`);
    c.header('Content-Length', String(last - first + 1));
    return c.body(streamFile(found.file, { start: first, end: last }), 206);
  }
  const encoding = chooseEncoding(found, c.req.header('Accept-Encoding') ?? '');
  if (encoding) {
    const key = `${encoding} ${found.file}`;
    if (!compressed.has(key))
      compressed.set(key, compress(encoding, found.html?.bytes ?? readFileSync(found.file)));
    c.header('Content-Encoding', encoding);
    return c.body(await compressed.get(key)!);
  }
  if (found.html) return c.body(found.html.bytes);
  c.header('Content-Length', String(found.sizeBytes));
  if (c.req.method === 'HEAD') return c.body(null);
  return c.body(streamFile(found.file));
}

function streamFile(file: string, part: { start?: number; end?: number } = {}): ReadableStream<Uint8Array> {
  return Readable.toWeb(createReadStream(file, part)) as ReadableStream<Uint8Array>;
}

/** Ranges apply to the file on disk. With If-Range, only if it is the very file whose beginning the caller has. */
function chooseRange(c: Context<AppEnv>, found: SiteFile): ByteRange {
  const ifRange = c.req.header('If-Range');
  const isSame = ifRange === undefined || (ifRange === found.etag && !ifRange.startsWith('W/'));
  if (c.req.method !== 'GET' || found.html || !isSame) return { kind: 'whole' };
  return parseByteRange(c.req.header('Range'), found.sizeBytes);
}

function chooseEncoding(found: SiteFile, accepted: string): Encoding | null {
  if (!compressible.test(found.type) || found.sizeBytes < 1000 || found.sizeBytes > maxCompressedBytes)
    return null;
  const names = accepted.split(',').map((part) => part.trim());
  const accepts = (name: string) =>
    names.some((part) => part === name || (part.startsWith(`${name};`) && !/;q=0(\.0*)?$/.test(part)));
  return accepts('br') ? 'br' : accepts('gzip') ? 'gzip' : null;
}

async function compress(encoding: Encoding, bytes: Buffer): Promise<Buffer<ArrayBuffer>> {
  // quality 5: a tenth of the time of 11 for a few percent more bytes
  if (encoding === 'gzip') return promisify(gzip)(bytes);
  return promisify(brotliCompress)(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } });
}

function listFiles(folder: string, env: Env): Map<string, SiteFile> {
  const files = new Map<string, SiteFile>();
  if (!existsSync(folder)) return files;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    const address = `/${path.relative(folder, file).split(path.sep).join('/')}`;
    const described = describeFile(file, address, env);
    files.set(address, described);
    if (entry.name === 'index.html') files.set(address.slice(0, -'/index.html'.length) || '/', described);
  }
  return files;
}

/** The built pages, by their public addresses. */
function listPages(files: Map<string, SiteFile>): BuiltPage[] {
  return [...files].flatMap(([address, { html }]) =>
    html && !address.endsWith('.html') ? [{ address, html: html.bytes.toString() }] : [],
  );
}

function describeFile(file: string, address: string, env: Env): SiteFile {
  const type = mediaTypes[path.extname(file).toLowerCase()] ?? 'application/octet-stream';
  const bytes = type.startsWith('text/html')
    ? Buffer.from(writeFacts(writeApiUrl(readFileSync(file, 'utf8'), env), gatherSiteFacts(env)))
    : null;
  const hash = createHash('sha256').update(bytes ?? readFileSync(file));
  // the build names files in /assets by their content
  const cacheControl = address.startsWith('/assets/')
    ? 'public, max-age=31536000, immutable'
    : bytes
      ? 'no-cache'
      : 'public, max-age=3600';
  return {
    file,
    type,
    sizeBytes: bytes?.length ?? statSync(file).size,
    // weak if it is the same for every encoding
    etag: `${compressible.test(type) ? 'W/' : ''}"${hash.digest('base64url').slice(0, 22)}"`,
    cacheControl,
    ...(bytes ? { html: { bytes, policy: describePagePolicy(env, bytes.toString()) } } : {}),
  };
}

/** Tells the page where the API is, if that is another origin: the content of `<meta name="api-url">`. */
function writeApiUrl(html: string, env: Env): string {
  const api = new URL(env.API_URL).origin;
  if (api === new URL(env.PUBLIC_URL).origin) return html;
  return html.replace(/<meta\b[^>]*\bname="api-url"[^>]*>/, `<meta name="api-url" content="${api}"/>`);
}
