/**
 * Asks a model one question whose answer is words, passed on as they arrive. Temporary failures before the
 * first word are retried (as in ask-model.ts); later ones are not, because somebody has already read the
 * beginning.
 */
import type { LanguageModel, ModelMessage } from 'ai';
import { backOff, classifyFailure, isLooping, longestWaitMs } from './ask-model.ts';
import type { Standing, VendorGate } from './vendor-gate.ts';

export interface StreamedQuestion {
  model: LanguageModel;
  instructions: string;
  messages: ModelMessage[];
  maxOutputTokens: number;
  /** Limit of one attempt. */
  timeoutMs: number;
  /** Attempts in total, for temporary failures. */
  attempts: number;
  signal: AbortSignal;
  gate: VendorGate;
  onText: (delta: string) => void;
  /** Receives a reasoning model's thoughts before its answer. */
  onThinking: (delta: string) => void;
}

export type StreamedAnswer =
  | { kind: 'answered'; text: string }
  /** Cut at the token limit, or repeating itself. */
  | { kind: 'truncated' | 'looping'; text: string }
  | { kind: 'refused' }
  /** `isVendorDown` as in a `ModelAnswer`. */
  | { kind: 'unavailable'; message: string; retryable: boolean; isVendorDown: boolean };

/** How often an arriving answer is checked for loops, in characters. */
const loopCheckEvery = 4_000;

/** @throws only when `signal` aborts: its reason */
export async function streamModel(question: StreamedQuestion): Promise<StreamedAnswer> {
  const visit = question.gate.visit();
  try {
    for (let attempt = 1; ; attempt++) {
      question.signal.throwIfAborted();
      const reason = await visit.enter(question.signal);
      if (reason !== null)
        return { kind: 'unavailable', message: reason, retryable: true, isVendorDown: true };
      const { answer, hasBegun, standing = 'works', retryAfterMs } = await attemptOnce(question);
      question.signal.throwIfAborted();
      visit.note(standing, answer.kind === 'unavailable' ? answer.message : '');
      const isLate = retryAfterMs !== undefined && retryAfterMs > longestWaitMs;
      if (
        answer.kind !== 'unavailable' ||
        !answer.retryable ||
        hasBegun ||
        attempt >= question.attempts ||
        isLate
      ) {
        visit.giveUp();
        return answer;
      }
      await backOff(question, attempt, retryAfterMs);
    }
  } finally {
    visit.leave();
  }
}

interface Attempt {
  answer: StreamedAnswer;
  hasBegun: boolean;
  /** The state of the vendor; default: available. */
  standing?: Standing;
  retryAfterMs?: number;
}

async function attemptOnce(question: StreamedQuestion): Promise<Attempt> {
  const timeout = AbortSignal.timeout(question.timeoutMs);
  const stopped = new AbortController();
  let text = '';
  let checked = 0;
  let finish: string | undefined;
  try {
    const { streamText } = await import('ai');
    const { fullStream } = streamText({
      model: question.model,
      instructions: question.instructions,
      messages: question.messages,
      maxOutputTokens: question.maxOutputTokens,
      maxRetries: 0,
      abortSignal: AbortSignal.any([question.signal, timeout, stopped.signal]),
      // reported below; the default prints it
      onError: () => {},
    });
    for await (const part of fullStream) {
      if (part.type === 'text-delta') {
        text += part.text;
        question.onText(part.text);
        if (text.length - checked >= loopCheckEvery) {
          checked = text.length;
          if (isLooping(text)) {
            stopped.abort();
            return { answer: { kind: 'looping', text }, hasBegun: true };
          }
        }
      } else if (part.type === 'reasoning-delta') question.onThinking(part.text);
      else if (part.type === 'finish') finish = part.finishReason;
      else if (part.type === 'error') throw part.error;
    }
    if (timeout.aborted) throw timeout.reason;
  } catch (error) {
    const failed = await classifyFailure<never>(error, timeout.aborted);
    const hasBegun = text !== '';
    if (failed.kind !== 'unavailable')
      return { answer: failed.kind === 'refused' ? failed : noAnswer, hasBegun };
    const { message, retryable, standing, retryAfterMs } = failed;
    const isVendorDown = standing === 'refused' || standing === 'down';
    return {
      answer: { kind: 'unavailable', message, retryable, isVendorDown },
      hasBegun,
      standing: hasBegun ? 'works' : standing,
      retryAfterMs,
    };
  }
  if (finish === 'length') return { answer: { kind: 'truncated', text }, hasBegun: true };
  if (finish === 'content-filter') return { answer: { kind: 'refused' }, hasBegun: text !== '' };
  if (finish === 'error' || finish === undefined) return { answer: brokenOff, hasBegun: text !== '' };
  if (text.trim() === '') return { answer: noAnswer, hasBegun: false };
  return { answer: isLooping(text) ? { kind: 'looping', text } : { kind: 'answered', text }, hasBegun: true };
}

const noAnswer: StreamedAnswer = {
  kind: 'unavailable',
  message: 'the model gave no answer',
  retryable: true,
  isVendorDown: false,
};
const brokenOff: StreamedAnswer = {
  kind: 'unavailable',
  message: "the model's answer was cut off",
  retryable: true,
  isVendorDown: false,
};
