/**
 * A model vendor on loopback that speaks the vendors' own protocols (OpenAI chat completions and responses,
 * Anthropic messages, Google generateContent), so that the AI SDK's own clients talk to it. Its answers are
 * scripted. As a program: `node test-support/stand-ins/vendor-stand-in.ts [--port N] [--delay MS]` answers a
 * page with the text sent along with its picture, like a model that reads well, or else with a short
 * transcription.
 */

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { wrapPieces } from './vendor-stream.ts';

export interface VendorRequest {
  path: string;
  /** All text in the request, joined. */
  text: string;
  /** Pictures in the request, decoded. */
  pictures: Buffer[];
  headers: IncomingMessage['headers'];
  /** Counts from 1. */
  number: number;
  /** Whether a streamed answer is requested. */
  isStreamed: boolean;
}

export interface VendorReply {
  /** The model's text; an object is sent as JSON. */
  content?: string | object;
  finish?: 'stop' | 'length' | 'content-filter';
  delayMs?: number;
  /** Delay between the chunks of a streamed answer. */
  pieceDelayMs?: number;
  /** A reasoning model's thoughts, sent first if the answer is streamed. */
  thinking?: string;
  /** An HTTP error instead of an answer. */
  status?: number;
  headers?: Record<string, string>;
  /** The whole body as it is, e.g. a proxy's HTML or truncated JSON. */
  rawBody?: string;
  /** Cuts the connection after this many bytes of the body. */
  cutAfterBytes?: number;
}

export interface Vendor {
  /** Base address for AI_BASE_URL. */
  url: string;
  requests: VendorRequest[];
  /** The most requests under way at one time. */
  peak: () => number;
  close(): Promise<void>;
}

export async function startVendor(
  answer: (request: VendorRequest) => VendorReply | Promise<VendorReply>,
  port = 0,
): Promise<Vendor> {
  const requests: VendorRequest[] = [];
  let underWay = 0;
  let peak = 0;
  const server = createServer(async (request, response) => {
    underWay++;
    peak = Math.max(peak, underWay);
    try {
      const body = JSON.parse(await text(request));
      const seen = {
        ...collect(body),
        path: request.url ?? '',
        headers: request.headers,
        number: requests.length + 1,
        isStreamed: body.stream === true || String(request.url).includes(':streamGenerateContent'),
      };
      requests.push(seen);
      const reply = await answer(seen);
      const isPlain = !seen.isStreamed || reply.rawBody !== undefined || (reply.status ?? 200) >= 400;
      await (isPlain ? send(response, seen.path, reply) : stream(response, seen.path, reply));
    } catch (error) {
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { message: String(error) } }));
    } finally {
      underWay--;
    }
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    peak: () => peak,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A page's answer in the requested shape, with everything but the LaTeX empty. */
export function pageAnswer(latex: string, more: object = {}): object {
  return {
    turn: 0,
    latex,
    packages: [],
    title: null,
    author: null,
    date: null,
    language: 'en',
    drawings: [],
    lines: [],
    notation: [],
    starts_in_mid_sentence: false,
    ends_in_mid_sentence: false,
    is_published_material: false,
    ...more,
  };
}

/** Collects texts and base64 pictures from any vendor's request. */
function collect(value: unknown): { text: string; pictures: Buffer[] } {
  const texts: string[] = [];
  const pictures: Buffer[] = [];
  const walk = (node: unknown, key: string) => {
    if (typeof node === 'string') {
      const inline = /^data:image\/\w+;base64,(.*)$/s.exec(node);
      if (inline) pictures.push(Buffer.from(inline[1]!, 'base64'));
      else if (key === 'data') pictures.push(Buffer.from(node, 'base64'));
      else if (key === 'text' || key === 'content') texts.push(node);
    } else if (Array.isArray(node)) for (const item of node) walk(item, key);
    else if (node && typeof node === 'object')
      for (const [name, item] of Object.entries(node)) walk(item, name);
  };
  walk(value, '');
  return { text: texts.join('\n'), pictures };
}

async function send(response: ServerResponse, path: string, reply: VendorReply): Promise<void> {
  if (reply.delayMs) await new Promise((resolve) => setTimeout(resolve, reply.delayMs));
  if (response.destroyed) return;
  const text = typeof reply.content === 'string' ? reply.content : JSON.stringify(reply.content ?? '');
  const isError = reply.status !== undefined && reply.status >= 400;
  const body =
    reply.rawBody ??
    JSON.stringify(
      isError
        ? { error: { message: 'scripted failure', type: 'scripted' } }
        : wrap(path, text, reply.finish ?? 'stop'),
    );
  response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
  if (reply.cutAfterBytes !== undefined) {
    response.write(body.slice(0, reply.cutAfterBytes));
    setTimeout(() => response.destroy(), 20);
    return;
  }
  response.end(body);
}

/** The same text in chunks, as Server-Sent Events. */
async function stream(response: ServerResponse, path: string, reply: VendorReply): Promise<void> {
  if (reply.delayMs) await new Promise((resolve) => setTimeout(resolve, reply.delayMs));
  if (response.destroyed) return;
  const text = typeof reply.content === 'string' ? reply.content : JSON.stringify(reply.content ?? '');
  response.writeHead(200, { 'content-type': 'text/event-stream', ...reply.headers });
  let sent = 0;
  for (const event of wrapPieces(path, text, reply.finish ?? 'stop', reply.thinking)) {
    if (response.destroyed) return;
    sent += event.length;
    if (reply.cutAfterBytes !== undefined && sent > reply.cutAfterBytes) {
      setTimeout(() => response.destroy(), 20);
      return;
    }
    response.write(event);
    if (reply.pieceDelayMs) await new Promise((resolve) => setTimeout(resolve, reply.pieceDelayMs));
  }
  response.end();
}

/** Wraps a text in each vendor's response format. */
function wrap(path: string, text: string, finish: NonNullable<VendorReply['finish']>): object {
  if (path.includes('/messages')) {
    const reason = { stop: 'end_turn', length: 'max_tokens', 'content-filter': 'refusal' }[finish];
    return {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'stand-in',
      stop_reason: reason,
      stop_sequence: null,
      content: [{ type: 'text', text }],
      usage: { input_tokens: 1, output_tokens: 1 },
    };
  }
  if (path.includes(':generateContent')) {
    const reason = { stop: 'STOP', length: 'MAX_TOKENS', 'content-filter': 'SAFETY' }[finish];
    return {
      candidates: [{ index: 0, finishReason: reason, content: { role: 'model', parts: [{ text }] } }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    };
  }
  if (path.includes('/responses')) {
    return {
      id: 'resp_1',
      object: 'response',
      created_at: 0,
      model: 'stand-in',
      status: finish === 'length' ? 'incomplete' : 'completed',
      error: null,
      incomplete_details:
        finish === 'length'
          ? { reason: 'max_output_tokens' }
          : finish === 'content-filter'
            ? { reason: 'content_filter' }
            : null,
      output: [
        {
          type: 'message',
          id: 'msg_1',
          role: 'assistant',
          status: 'completed',
          content: [{ type: 'output_text', text, annotations: [] }],
        },
      ],
      usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    };
  }
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model: 'stand-in',
    choices: [
      {
        index: 0,
        finish_reason: finish === 'content-filter' ? 'content_filter' : finish,
        message: { role: 'assistant', content: text },
      },
    ],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { port: { type: 'string', default: '0' }, delay: { type: 'string', default: '0' } },
  });
  const vendor = await startVendor((request) => {
    const page = /Page (\d+) of/.exec(request.text)?.[1] ?? '0';
    const known = /<text>\n(.*)\n<\/text>/s.exec(request.text)?.[1];
    const short = `\\section*{Page ${page}}\n\nWhat stands on page ${page}: $a_{${page}} = ${page}^2$.`;
    return { delayMs: Number(values.delay), content: pageAnswer(known ?? short) };
  }, Number(values.port));
  console.log(vendor.url);
}
