// Real: the requests. Scripted: Ollama, on loopback, in the form of its own API.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { findOllamaModel, offerOllama } from './find-ollama.ts';

/** A busy machine answers late. */
const timeoutMs = 60_000;

let server: Server | undefined;
afterEach(() => void server?.close());

async function serve(models: Record<string, object>, tags?: string): Promise<string> {
  server = createServer(async (request, response) => {
    const asked = await text(request);
    if (request.url === '/api/tags')
      return response.end(tags ?? JSON.stringify({ models: Object.keys(models).map((name) => ({ name })) }));
    const { model } = JSON.parse(asked) as { model: string };
    response.end(JSON.stringify(models[model] ?? {}));
  });
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('the first vision model is found, and the offer names the settings', async () => {
  const address = await serve({
    'llama3.2:3b': { capabilities: ['completion', 'tools'] },
    'qwen2.5vl:7b': { capabilities: ['completion', 'vision'] },
  });
  const model = await findOllamaModel(address, timeoutMs);
  expect(model).toBe('qwen2.5vl:7b');
  expect(offerOllama(model!)).toContain(
    'AI_BASE_URL=http://localhost:11434/v1 AI_MODEL=qwen2.5vl:7b ./start',
  );
});

test('older releases reveal a vision model by its projector', async () => {
  const address = await serve({ 'llava:13b': { projector_info: { 'clip.has_vision_encoder': true } } });
  expect(await findOllamaModel(address, timeoutMs)).toBe('llava:13b');
});

test('no vision model, another program, or nothing listening: nothing is offered', async () => {
  expect(
    await findOllamaModel(await serve({ 'llama3.2:3b': { capabilities: ['completion'] } }), timeoutMs),
  ).toBeNull();
  server!.close();
  expect(await findOllamaModel(await serve({}, '<html>another program</html>'), timeoutMs)).toBeNull();
  const address = await serve({});
  await new Promise((resolve) => server!.close(resolve));
  expect(await findOllamaModel(address, timeoutMs)).toBeNull();
});
