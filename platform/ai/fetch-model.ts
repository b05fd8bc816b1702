/**
 * `fetch` for a model's server: it puts the pictures in place of their names, and has no time limit of its own.
 * Node's gives up if the first byte of a response takes five minutes, and a model on a CPU needs longer. Callers set
 * a limit with the signal.
 */
import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { fillInPictures } from './named-pictures.ts';

/** Requests whose body is text or absent, without redirects: what the AI SDK's clients send. */
export const fetchModel: typeof fetch = (input, init = {}) =>
  new Promise((resolve, reject) => {
    if (init.body && typeof init.body !== 'string') throw new TypeError('only a body of text is sent');
    const url = new URL(input instanceof Request ? input.url : input);
    const { request } = url.protocol === 'https:' ? https : http;
    const sent = request(
      url,
      {
        method: init.method ?? 'GET',
        headers: Object.fromEntries(new Headers(init.headers)),
        ...(init.signal ? { signal: init.signal } : {}),
      },
      (answer) => {
        const { statusCode: status = 502, rawHeaders } = answer;
        const headers = new Headers();
        for (let at = 0; at < rawHeaders.length; at += 2)
          headers.append(rawHeaders[at]!, rawHeaders[at + 1]!);
        const isEmpty = status === 204 || status === 304;
        const body = isEmpty ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>);
        if (isEmpty) answer.resume();
        resolve(new Response(body, { status, headers }));
      },
    );
    // the AI SDK recognises a network error by the kind of error that `fetch` throws
    sent.on('error', (cause) =>
      reject(init.signal?.aborted ? init.signal.reason : new TypeError('fetch failed', { cause })),
    );
    if (typeof init.body === 'string') {
      const pieces = fillInPictures(init.body);
      const bytes = pieces.reduce((sum, { text, encoding }) => sum + Buffer.byteLength(text, encoding), 0);
      sent.setHeader('content-length', bytes);
      for (const { text, encoding } of pieces) sent.write(text, encoding);
    }
    sent.end();
  });
