/**
 * Asks a model one question, distinguishing everything that can go wrong: time-outs, rate limits, refusals,
 * truncated and looping answers, answers of the wrong shape. Retries temporary failures; the caller decides
 * about the rest.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LanguageModel, ModelMessage } from 'ai';
import type { z } from 'zod';
import { withNamedPictures } from './named-pictures.ts';
import type { Standing, VendorGate } from './vendor-gate.ts';

export interface ModelQuestion<Schema extends z.ZodType> {
  model: LanguageModel;
  instructions: string;
  messages: ModelMessage[];
  /** The requested shape. Vendors that support it enforce it; from others any text is accepted, see `text`. */
  schema: Schema;
  maxOutputTokens: number;
  /**
   * Limit of one call. A call that exceeds it continues while the next one runs: whichever answers first is
   * used.
   */
  timeoutMs: number;
  /**
   * Attempts in total, for temporary failures; a call without an answer in time is followed by at most one
   * more.
   */
  attempts?: number;
  signal: AbortSignal;
  gate: VendorGate;
  /** Called with the cost of each call, in the vendor's tokens. */
  onUsage?: ((usage: { input: number; output: number }) => void) | undefined;
  /** How far into an outage of the vendor it is worth waiting, in ms; default: not at all. */
  maxOutageMs?: number;
}

export type ModelAnswer<T> =
  | { kind: 'answered'; value: T }
  /** Not of the requested shape. `text` is what came; the caller may still find LaTeX in it. */
  | { kind: 'text'; text: string }
  /** Truncated at the token limit, or repeating itself: ask for a smaller piece. `text` is what came. */
  | { kind: 'truncated' | 'looping'; text: string }
  | { kind: 'refused' }
  /**
   * `retryable`: the vendor was unreachable or busy up to the last attempt. `isVendorDown`: it is down, or
   * refuses the key, for every other question too.
   */
  | { kind: 'unavailable'; message: string; retryable: boolean; isVendorDown: boolean };

/** A longer Retry-After is not waited for: the page fails as busy and can be retried (2 minutes). */
export const longestWaitMs = 120_000;
const firstBackoffMs = 1_000;
/** A model that let two calls wait is too slow for this question, and more calls make it slower. */
const mostLateCalls = 2;

/** @throws only when `signal` aborts: its reason */
export async function askModel<Schema extends z.ZodType>(
  question: ModelQuestion<Schema>,
): Promise<ModelAnswer<z.infer<Schema>>> {
  const attempts = question.attempts ?? 4;
  const visit = question.gate.visit(question.maxOutageMs);
  const calls = new Calls(question);
  let late = 0;
  try {
    for (let attempt = 1; ; attempt++) {
      question.signal.throwIfAborted();
      const reason = await visit.enter(question.signal);
      if (reason !== null)
        return { kind: 'unavailable', message: reason, retryable: true, isVendorDown: true };
      const outcome: Outcome<z.infer<Schema>> = (await calls.next()) ?? timedOut;
      question.signal.throwIfAborted();
      if (outcome.kind !== 'unavailable') {
        visit.note('works', '');
        return outcome;
      }
      const { message, retryable, standing, retryAfterMs } = outcome;
      visit.note(standing, message);
      if (visit.isWorthWaiting) continue;
      if (outcome === timedOut) late++;
      const isTooLong = retryAfterMs !== undefined && retryAfterMs > longestWaitMs;
      if (!retryable || attempt >= attempts || late >= mostLateCalls || isTooLong) {
        visit.giveUp();
        const isVendorDown = standing === 'refused' || standing === 'down';
        return { kind: 'unavailable', message, retryable, isVendorDown };
      }
      if (outcome === timedOut) continue;
      await backOff(question, attempt, retryAfterMs);
    }
  } finally {
    calls.end();
    visit.leave();
  }
}

/** Waits before the next attempt, or has everybody wait who asks this vendor, if it said how long. */
export async function backOff(
  { gate, signal }: { gate: VendorGate; signal: AbortSignal },
  attempt: number,
  retryAfterMs: number | undefined,
): Promise<void> {
  if (retryAfterMs !== undefined) return gate.closeFor(retryAfterMs);
  // exponential with full jitter, so that pages that failed together retry at different times
  await sleep(Math.random() * firstBackoffMs * 2 ** attempt, undefined, { signal }).catch(() =>
    signal.throwIfAborted(),
  );
}

/** The calls of one question: those that have passed their limit are still listened to. */
class Calls<Schema extends z.ZodType> {
  readonly #question: ModelQuestion<Schema>;
  readonly #ended = new AbortController();
  readonly #open = new Set<Promise<Outcome<z.infer<Schema>>>>();

  constructor(question: ModelQuestion<Schema>) {
    this.#question = question;
  }

  /** Begins another call. @returns its outcome or a late answer to an earlier one; null if there is none in time */
  async next(): Promise<Outcome<z.infer<Schema>> | null> {
    const { timeoutMs, signal } = this.#question;
    const call = callModel(this.#question, AbortSignal.any([signal, this.#ended.signal]));
    this.#open.add(call);
    const waited = new AbortController();
    const limit = sleep(timeoutMs, null, { signal: AbortSignal.any([signal, waited.signal]) }).catch(
      () => null,
    );
    try {
      for (;;) {
        const from = [...this.#open].map(async (one) => ({ one, outcome: await one }));
        const first = await Promise.race([...from, limit]);
        if (first === null) return null;
        this.#open.delete(first.one);
        // an earlier call that ends without an answer says nothing about this one
        if (first.one === call || first.outcome.kind !== 'unavailable') return first.outcome;
      }
    } finally {
      waited.abort();
    }
  }

  end(): void {
    this.#ended.abort(new Error('the question is settled'));
  }
}

/** The outcome of one attempt. */
export type Outcome<T> =
  | Exclude<ModelAnswer<T>, { kind: 'unavailable' }>
  | {
      kind: 'unavailable';
      message: string;
      retryable: boolean;
      standing: Standing;
      retryAfterMs?: number;
    };

/** Never rejects. */
async function callModel<Schema extends z.ZodType>(
  question: ModelQuestion<Schema>,
  signal: AbortSignal,
): Promise<Outcome<z.infer<Schema>>> {
  try {
    const { generateText, Output } = await import('ai');
    const result = await withNamedPictures(question.messages, (messages) =>
      generateText({
        model: question.model,
        instructions: question.instructions,
        messages,
        output: Output.object({ schema: question.schema }),
        maxOutputTokens: question.maxOutputTokens,
        maxRetries: 0,
        abortSignal: signal,
      }),
    );
    const { inputTokens = 0, outputTokens = 0 } = result.usage;
    question.onUsage?.({ input: inputTokens, output: outputTokens });
    if (result.finishReason === 'length') return { kind: 'truncated', text: result.text };
    if (result.finishReason === 'content-filter') return { kind: 'refused' };
    if (isLooping(result.text)) return { kind: 'looping', text: result.text };
    return { kind: 'answered', value: result.output as z.infer<Schema> };
  } catch (error) {
    return await classifyFailure(error, false);
  }
}

const timedOut: Outcome<never> & { kind: 'unavailable' } = {
  kind: 'unavailable',
  message: 'the model did not answer in time',
  retryable: true,
  standing: 'unknown',
};

/** Classifies what a vendor's client threw. */
export async function classifyFailure<T>(error: unknown, isTimedOut: boolean): Promise<Outcome<T>> {
  if (isTimedOut) return timedOut;
  const { APICallError, NoObjectGeneratedError } = await import('ai');
  if (NoObjectGeneratedError.isInstance(error)) {
    const text = error.text ?? '';
    if (error.finishReason === 'length') return { kind: 'truncated', text };
    if (error.finishReason === 'content-filter') return { kind: 'refused' };
    if (isLooping(text)) return { kind: 'looping', text };
    if (text.trim() === '')
      return {
        kind: 'unavailable',
        message: 'the model gave no answer',
        retryable: true,
        standing: 'unknown',
      };
    return { kind: 'text', text };
  }
  if (APICallError.isInstance(error)) {
    const status = error.statusCode ?? 0;
    if (isRefusal(status, error.responseBody))
      return {
        kind: 'unavailable',
        message: `the vendor rejects the key, its account or the model (${status})`,
        retryable: false,
        standing: 'refused',
      };
    // a success status here means that the body did not follow the vendor's protocol (a proxy's page, truncated
    // JSON)
    const isGarbled = status > 0 && status < 400;
    return {
      kind: 'unavailable',
      // only the status: vendors' messages may quote what was sent
      message: isGarbled
        ? "the model's answer could not be used"
        : status
          ? `the model's server answered ${status}`
          : "the model's server could not be reached",
      retryable: error.isRetryable || isGarbled || status === 0 || status >= 500,
      standing: status === 0 || status >= 500 ? 'down' : status === 429 ? 'works' : 'unknown',
      retryAfterMs: readRetryAfter(error.responseHeaders),
    };
  }
  const name = error instanceof Error ? error.name : 'unknown';
  return {
    kind: 'unavailable',
    message: `the model's answer could not be used (${name})`,
    retryable: true,
    standing: 'unknown',
  };
}

/** No key, no money, no permission, no such model. */
const refusals = new Set([401, 402, 403, 404]);
/** The same in words, for statuses that have other meanings too: OpenAI's 429, Anthropic's and Google's 400. */
const refusalWords =
  /insufficient_quota|billing_(?:hard_limit|not_active)|credit balance is too low|api[_ ]key[_ ](?:invalid|not valid)/i;

function isRefusal(status: number, body: string | undefined): boolean {
  return refusals.has(status) || (status >= 400 && status < 500 && refusalWords.test(body ?? ''));
}

/** Milliseconds from `retry-after-ms`, or from `retry-after` as seconds or as a date. */
function readRetryAfter(headers: Record<string, string> | undefined): number | undefined {
  const exact = Number.parseFloat(headers?.['retry-after-ms'] ?? '');
  if (exact >= 0) return exact;
  const value = headers?.['retry-after'];
  if (value === undefined) return undefined;
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/**
 * True if the end of a text repeats one stretch of up to 400 characters at least six times, over 600 characters
 * in total (a matrix of zeros or a dotted line stays below that).
 */
export function isLooping(text: string): boolean {
  const tail = text.slice(-6_000);
  for (let period = 1; period <= 400; period++) {
    const needed = Math.max(600, period * 6);
    if (tail.length < needed) continue;
    let run = 0;
    for (let i = tail.length - 1; i >= period && tail[i] === tail[i - period]; i--) run++;
    // the very end may be cut mid-stretch or closed by quotes and braces: those few characters are ignored
    if (run + period >= needed) return true;
  }
  return tail.length > 700 && /[\s"'}\]`]$/.test(tail) && isLooping(tail.replace(/[\s"'}\]`]{1,12}$/, ''));
}
