/**
 * Answers one question of a conversation: with words, or with a change that has been compiled. Whatever the
 * document contains, nothing else can result: a text has no tool to call, only its own scope can change, and a
 * change waits for the person.
 */

import { ApiError } from '#platform/errors.ts';
import type { NewTurn } from '#shared/api/assistant.ts';
import type { CompileResult } from '#typesetting/index.ts';
import { proveChange } from '../prove-change.ts';
import { answerByModel } from './answer-by-model.ts';
import { answerByRule } from './answer-by-rule.ts';
import type { TurnContext, TurnOutcome } from './turn-context.ts';

/** @throws only when `signal` aborts: its reason */
export async function answerTurn(turn: NewTurn, context: TurnContext): Promise<TurnOutcome> {
  const compile = (latex: string) => compileText(latex, context);
  const outcome = context.model
    ? await answerByModel(turn, { ...context, model: context.model })
    : await answerByRule(turn, { ...context, compile });
  if (outcome.kind !== 'draft') return outcome;
  const { draft } = outcome;
  try {
    // before proving, so that a user without credits is told at once
    await context.reserve();
  } catch (error) {
    if (error instanceof ApiError) return { kind: 'failed', error: error.toObject(), isOurs: false };
    throw error;
  }
  context.emit({ type: 'stage', stage: 'proving' });
  const proven = await proveChange({
    before: turn.latex,
    after: draft.text.latex,
    compile,
    repair: draft.repair,
    brokenBefore: turn.intent === 'fix' ? 'fewer-errors' : 'no-more-errors',
  });
  switch (proven.kind) {
    case 'changed':
      return { ...proven, description: draft.description };
    case 'unproven': {
      const error = new ApiError('COMPILATION_FAILED', {
        message:
          'The change was made, but the document would not compile with it. Your text has not been changed.',
        source: 'server',
        messages: proven.messages,
      });
      return { kind: 'failed', error: error.toObject(), isOurs: true };
    }
    case 'unavailable': {
      const error = new ApiError('BUSY', { message: proven.message });
      return { kind: 'failed', error: error.toObject(), isOurs: true };
    }
  }
}

async function compileText(
  latex: string,
  { typesetter, assets, engine, owner, signal }: TurnContext,
): Promise<CompileResult> {
  const result = await typesetter.compile({ latex, assets, engine: engine ?? undefined, owner, signal });
  signal.throwIfAborted();
  return result;
}
