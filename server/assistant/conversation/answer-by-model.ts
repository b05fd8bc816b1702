/** Asks the configured model, and turns its answer into a text that can be proven. */
import type { LanguageModel, ModelMessage } from 'ai';
import { type StreamedAnswer, streamModel } from '#platform/ai/stream-model.ts';
import { ApiError, invalidInput } from '#platform/errors.ts';
import type { NewTurn } from '#shared/api/assistant.ts';
import type { LogMessage } from '#shared/api/errors.ts';
import { describeMessage, instructions, writeMessages } from './model-messages.ts';
import { AnswerReader, type WrittenChange } from './read-answer.ts';
import { applyWritten, type ScopedText } from './scoped-text.ts';
import type { DraftOutcome, TurnContext } from './turn-context.ts';

type ModelContext = Pick<TurnContext, 'gate' | 'signal' | 'earlier' | 'notation' | 'timeoutMs' | 'emit'> & {
  model: LanguageModel;
};

/** Enough for a document of about 100,000 characters; longer ones are changed in parts. */
const maxOutputTokens = 32_000;
const timeoutMs = 180_000;
/** Tries for failures that may be temporary, before the first word. */
const attempts = 3;

/** @throws only when `signal` aborts: its reason */
export async function answerByModel(turn: NewTurn, context: ModelContext): Promise<DraftOutcome> {
  context.emit({ type: 'stage', stage: 'thinking' });
  const messages = writeMessages(turn, context.earlier, context.notation);
  const reader = new AnswerReader();
  const emitText = (delta: string) => {
    if (delta !== '') context.emit({ type: 'text', delta });
  };
  const answer = await ask(context, messages, (piece) => emitText(reader.push(piece)));
  if (answer.kind !== 'answered') return refuse(answer);
  const { words, change } = reader.end();
  emitText(words);
  if (change.kind === 'none' || turn.intent === 'explain') {
    if (reader.words.trim() === '') return refuse(ofNoUse);
    return { kind: 'answered' };
  }
  const conversation: ModelMessage[] = [...messages, { role: 'assistant', content: answer.text }];
  const text = await fitChange(turn, change, context, conversation);
  if (!text) return refuse(ofNoUse);
  if (text === 'same') {
    emitText(
      reader.words.trim() === ''
        ? 'The document is already as you asked.'
        : '\n\nThe document already is so.',
    );
    return { kind: 'answered' };
  }
  const repair = async (_: string, messages: LogMessage[]) => {
    const errors = messages.slice(0, 10).map(describeMessage).join('\n');
    const request = `With your change the document does not compile. Write a further change of the changed text that mends this and nothing else; write nothing but the blocks.\n${errors}`;
    const change = await askAgain(context, conversation, request);
    if (change === null || change.kind === 'none') return null;
    const applied = applyWritten(text, change);
    return applied.kind === 'applied' ? applied.text.latex : null;
  };
  return { kind: 'draft', draft: { text, description: summarise(reader.words, turn), repair } };
}

/** Applies the change within its scope; the model gets one chance to rewrite what does not fit. */
async function fitChange(
  turn: NewTurn,
  change: Exclude<WrittenChange, { kind: 'none' }>,
  context: ModelContext,
  conversation: ModelMessage[],
): Promise<ScopedText | 'same' | null> {
  const first = applyWritten(turn, change);
  if (first.kind === 'applied') return first.text;
  if (first.kind === 'same') return 'same';
  const request = `Your change could not be made. ${first.problem}\nWrite all blocks of the change again, and nothing else.`;
  const again = await askAgain(context, conversation, request);
  if (again === null || again.kind === 'none') return null;
  const second = applyWritten(turn, again);
  return second.kind === 'applied' ? second.text : second.kind === 'same' ? 'same' : null;
}

/** Sends the model a further message that the person does not see; null if nothing usable came. */
async function askAgain(
  context: ModelContext,
  conversation: ModelMessage[],
  request: string,
): Promise<WrittenChange | null> {
  context.emit({ type: 'stage', stage: 'mending' });
  const reader = new AnswerReader();
  const answer = await ask(context, [...conversation, { role: 'user', content: request }], (piece) => {
    reader.push(piece);
  });
  return answer.kind === 'answered' ? reader.end().change : null;
}

function ask(
  { model, signal, gate, emit, ...context }: ModelContext,
  messages: ModelMessage[],
  onText: (delta: string) => void,
): Promise<StreamedAnswer> {
  return streamModel({
    model,
    instructions,
    messages,
    maxOutputTokens,
    timeoutMs: context.timeoutMs ?? timeoutMs,
    attempts,
    signal,
    gate,
    onText,
    onThinking: (delta) => emit({ type: 'thinking', delta }),
  });
}

/** The first sentence of the model's answer, or the person's own words. */
function summarise(words: string, { message }: NewTurn): string {
  const line = words.trim().split('\n', 1)[0] ?? '';
  const sentence = /^.*?[.?!](?=\s|$)/.exec(line)?.[0] ?? line;
  const chosen = sentence || message.split('\n', 1)[0]!;
  return chosen.length > 160 ? `${chosen.slice(0, 157).trimEnd()}…` : chosen;
}

const ofNoUse: StreamedAnswer & { kind: 'unavailable' } = {
  kind: 'unavailable',
  message: '',
  retryable: true,
  isVendorDown: false,
};

function refuse(answer: Exclude<StreamedAnswer, { kind: 'answered' }>): DraftOutcome {
  switch (answer.kind) {
    case 'truncated':
    case 'looping': {
      const error = invalidInput(
        'This touches more of the document than one answer can hold. Ask for it section by section.',
      );
      return { kind: 'failed', error: error.toObject(), isOurs: false };
    }
    case 'refused': {
      const error = invalidInput('The model declined to answer this. Try rephrasing it.');
      return { kind: 'failed', error: error.toObject(), isOurs: false };
    }
    case 'unavailable': {
      if (answer.isVendorDown)
        return { kind: 'failed', error: new ApiError('AI_UNAVAILABLE').toObject(), isOurs: true };
      const error = new ApiError('GENERATION_FAILED', {
        message:
          'The AI model could not be reached, or its answer was unusable. Nothing was changed or charged.',
      });
      return { kind: 'failed', error: error.toObject(), isOurs: true };
    }
  }
}
