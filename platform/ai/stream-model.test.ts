// Real: the AI SDK's clients over HTTP. Scripted: the vendor, on loopback, in each vendor's own stream format.
import { afterEach, describe, expect, test } from 'vitest';
import {
  startVendor,
  type Vendor,
  type VendorReply,
  type VendorRequest,
} from '../../test-support/stand-ins/vendor-stand-in.ts';
import { type AiProvider, openModel } from './open-model.ts';
import { streamModel } from './stream-model.ts';
import { VendorGate } from './vendor-gate.ts';

let vendor: Vendor | undefined;
afterEach(async () => {
  await vendor?.close();
  vendor = undefined;
});

async function ask(
  reply: VendorReply | ((request: VendorRequest) => VendorReply),
  options: { provider?: AiProvider; signal?: AbortSignal; onText?: (delta: string) => void } = {},
) {
  vendor = await startVendor(typeof reply === 'function' ? reply : () => reply);
  const model = openModel({
    AI_PROVIDER: options.provider ?? 'openai-compatible',
    AI_MODEL: 'm',
    AI_BASE_URL: vendor.url,
    AI_API_KEY: 'k',
  })!;
  const pieces: string[] = [];
  let thinking = '';
  const answer = await streamModel({
    model,
    instructions: 'be brief',
    messages: [{ role: 'user', content: 'what is it' }],
    maxOutputTokens: 1_000,
    timeoutMs: 10_000,
    attempts: 2,
    signal: options.signal ?? new AbortController().signal,
    gate: new VendorGate(),
    onText: (delta) => {
      pieces.push(delta);
      options.onText?.(delta);
    },
    onThinking: (delta) => {
      thinking += delta;
    },
  });
  return { answer, pieces, thinking };
}

const words = 'It is $e^{-x^2}$, written with care.';

test.each(['openai-compatible', 'openai', 'anthropic', 'google'] as const)(
  '%s arrives piece by piece',
  async (provider) => {
    const { answer, pieces } = await ask({ content: words }, { provider });
    expect(answer).toEqual({ kind: 'answered', text: words });
    expect(pieces.length).toBeGreaterThan(3);
    expect(pieces.join('')).toBe(words);
    expect(vendor!.requests[0]).toMatchObject({
      isStreamed: true,
      text: expect.stringContaining('what is it'),
    });
  },
);

test.each(['openai-compatible', 'anthropic'] as const)(
  '%s: reasoning is distinguished from the answer',
  async (provider) => {
    const { answer, thinking } = await ask({ content: words, thinking: 'Let me see.' }, { provider });
    expect([answer, thinking]).toEqual([{ kind: 'answered', text: words }, 'Let me see.']);
  },
);

describe('failures', () => {
  test('before the first word are retried', async () => {
    const { answer } = await ask(({ number }) =>
      number === 1 ? { status: 429, headers: { 'retry-after-ms': '20' } } : { content: words },
    );
    expect([answer.kind, vendor!.requests.length]).toEqual(['answered', 2]);
  });

  test('after the first word are not', async () => {
    const { answer, pieces } = await ask({ content: words, cutAfterBytes: 900 });
    expect(answer).toMatchObject({ kind: 'unavailable' });
    expect([pieces.length > 0, vendor!.requests.length]).toEqual([true, 1]);
  });

  test.each([
    ['length', 'truncated'],
    ['content-filter', 'refused'],
  ] as const)('an end by %s is %s', async (finish, kind) => {
    expect((await ask({ content: words, finish })).answer.kind).toBe(kind);
  });

  test('a looping answer is stopped', async () => {
    const { answer, pieces } = await ask({ content: 'again and again. '.repeat(2_000) });
    expect(answer.kind).toBe('looping');
    expect(pieces.join('').length).toBeLessThan(10_000);
  });

  test('a rejected key is reported once', async () => {
    const { answer } = await ask({ status: 401 });
    expect(answer).toEqual({
      kind: 'unavailable',
      message: 'the vendor rejects the key, its account or the model (401)',
      isVendorDown: true,
      retryable: false,
    });
    expect(vendor!.requests.length).toBe(1);
  });

  test('cancelling rejects with the caller’s reason', async () => {
    const stop = new AbortController();
    const pending = ask(
      { content: words.repeat(20), pieceDelayMs: 20 },
      {
        signal: stop.signal,
        onText: () => stop.abort(new Error('enough')),
      },
    );
    await expect(pending).rejects.toThrow('enough');
  });
});
