/** Headers of every response, and the content security policy of our pages. */
import { createHash } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { Env } from '#platform/env.ts';
import type { AppEnv } from '../types.ts';

/** For everything except our pages: an API response opened as a page may load and run nothing. */
const apiPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

/**
 * The policy of a page. Scripts are our files and the page's own inline ones, by hash; pdf.js and HEIC need
 * WebAssembly and blob workers; styles may be inline because React, CodeMirror and pdf.js write them. Forms may
 * go only to us and to the online editor.
 */
export function describePagePolicy(
  env: Pick<Env, 'API_URL' | 'SUPABASE_URL' | 'ONLINE_EDITOR_URL'>,
  html: string,
): string {
  const hashes = listInlineScripts(html).map(
    (script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  );
  return [
    "default-src 'self'",
    ["script-src 'self' 'wasm-unsafe-eval'", ...new Set(hashes)].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' blob: data:",
    "font-src 'self' data:",
    "worker-src 'self' blob:",
    ["connect-src 'self' blob: data:", ...listTalkedTo(env)].join(' '),
    "object-src 'none'",
    // for printing the page's own PDF with the browser's viewer
    'frame-src blob:',
    "frame-ancestors 'none'",
    "base-uri 'none'",
    `form-action 'self' ${new URL(env.ONLINE_EDITOR_URL).origin}`,
  ].join('; ');
}

/** The API and the accounts' backend, each over HTTP and over WebSocket, which counts as a separate scheme here. */
function listTalkedTo(env: Pick<Env, 'API_URL' | 'SUPABASE_URL'>): Set<string> {
  const origins = [env.API_URL, env.SUPABASE_URL ?? env.API_URL].map((address) => new URL(address).origin);
  return new Set(origins.flatMap((origin) => [origin, origin.replace(/^http/, 'ws')]));
}

/** The text of every script element without a `src`; data blocks (`type="application/json"`) need no permission. */
function listInlineScripts(html: string): string[] {
  const scripts: string[] = [];
  for (const [, attributes = '', text = ''] of html.matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/gi)) {
    const type = /\btype\s*=\s*["']?([^"'\s>]+)/i.exec(attributes)?.[1]?.toLowerCase();
    const runs = type === undefined || ['module', 'text/javascript', 'importmap'].includes(type);
    if (runs && !/\bsrc\s*=/i.test(attributes)) scripts.push(text);
  }
  return scripts;
}

/** Sets the headers; a page's own Content-Security-Policy is kept. */
export function securityHeaders(env: Pick<Env, 'PUBLIC_URL'>): MiddlewareHandler<AppEnv> {
  const isHttps = env.PUBLIC_URL.startsWith('https:');
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    if (!headers.has('Content-Security-Policy')) headers.set('Content-Security-Policy', apiPolicy);
    // responses are for one caller only; pages and files set their own
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
    headers.set('X-Content-Type-Options', 'nosniff');
    headers.set('X-Frame-Options', 'DENY');
    if (!headers.has('Referrer-Policy')) headers.set('Referrer-Policy', 'strict-origin-when-cross-origin');
    headers.set('Cross-Origin-Opener-Policy', 'same-origin-allow-popups');
    headers.set('Permissions-Policy', 'camera=(self), microphone=(), geolocation=(), payment=(self)');
    if (isHttps) headers.set('Strict-Transport-Security', 'max-age=31536000');
  };
}
