/** Sends files to be converted, and follows what becomes of them. */
import path from 'node:path';
import { expect } from 'vitest';
import type { Conversion, ConversionEvent } from '#shared/api/conversion.ts';
import type { User } from './serve.ts';
import { openUpload, twoPages } from './uploads.ts';

async function formOf(files: string[], fields: Record<string, string> = {}): Promise<FormData> {
  const form = new FormData();
  for (const file of files) form.append('file', await openUpload(file), path.basename(file));
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

export async function send(
  user: User,
  files: string[],
  fields: Record<string, string> = {},
  init: RequestInit = {},
): Promise<Response> {
  return user.fetch('/api/v1/process', { method: 'POST', body: await formOf(files, fields), ...init });
}

/** Sends files for streaming and yields the events as they arrive. */
export async function* sendAndFollow(user: User, files: string[], signal?: AbortSignal) {
  const answer = await send(user, files, {}, { headers: { Accept: 'text/event-stream' }, signal });
  expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream/);
  yield* readStream(answer);
}

export interface Received {
  id: number;
  event: ConversionEvent;
}

export async function* readStream(answer: Response): AsyncGenerator<Received> {
  let rest = '';
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    rest += chunk;
    const blocks = rest.split('\n\n');
    rest = blocks.pop()!;
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s) as [string, string]));
      if (!fields.has('data')) continue;
      const event = JSON.parse(fields.get('data')!) as ConversionEvent;
      expect(fields.get('event')).toBe(event.type);
      yield { id: Number(fields.get('id')), event };
    }
  }
}

export async function look(user: User, id: string): Promise<Conversion> {
  return (await (await user.fetch(`/api/v1/conversions/${id}`)).json()) as Conversion;
}

export async function start(user: User, files = [twoPages]): Promise<string> {
  for await (const { event } of sendAndFollow(user, files))
    if (event.type === 'accepted') return event.conversion_id;
  throw new Error('the stream ended');
}
