/** Answers what needs no model: exact edits, and explanations and fixes by rule. Says plainly what it cannot do. */

import { applyEdits, parseChangeRequest } from '#latex/edits/index.ts';
import { tryFixes } from '#proving/index.ts';
import type { NewTurn } from '#shared/api/assistant.ts';
import type { LogMessage } from '#shared/api/errors.ts';
import type { CompileResult } from '#typesetting/index.ts';
import { changeExactly } from '../change-exactly.ts';
import { errorsOf } from '../prove-change.ts';
import { insideOf, keepScope, type ScopedText, withInside } from './scoped-text.ts';
import type { DraftOutcome, TurnContext } from './turn-context.ts';

type RuleContext = Pick<TurnContext, 'emit'> & { compile: (latex: string) => Promise<CompileResult> };

const needsModel = 'This needs an AI model, and none is set up here.';

export async function answerByRule(turn: NewTurn, context: RuleContext): Promise<DraftOutcome> {
  const say = (text: string): DraftOutcome => {
    context.emit({ type: 'text', delta: text });
    return { kind: 'answered' };
  };
  const propose = (text: ScopedText, description: string): DraftOutcome => {
    context.emit({ type: 'text', delta: description });
    return { kind: 'draft', draft: { text, description, repair: null } };
  };
  const { intent, log_message: message } = turn;
  if (intent === 'explain' && message) return say(explain(message));
  if (intent === 'fix' && message) return fix(turn, message, context.compile, say, propose);
  const changed = changeInScope(turn);
  return changed.kind === 'declined' ? say(changed.message) : propose(changed.text, changed.description);
}

function explain({ message, explanation, suggestion }: LogMessage): string {
  if (!explanation) return `TeX says: ${message}\n\nNo built-in rule explains this message. ${needsModel}`;
  return suggestion ? `${explanation}\n\nTry this: ${suggestion}` : explanation;
}

/** Compiles the text again, to find where the message is now and whether a fix by rule works. */
async function fix(
  turn: NewTurn,
  wanted: LogMessage,
  compile: RuleContext['compile'],
  say: (text: string) => DraftOutcome,
  propose: (text: ScopedText, description: string) => DraftOutcome,
): Promise<DraftOutcome> {
  const result = await compile(turn.latex);
  if (result.kind === 'compiled') return say('Your text compiles as it is now; there is nothing to fix.');
  const same = errorsOf(result).filter(({ message }) => message === wanted.message);
  const distance = (message: LogMessage) => Math.abs((message.line ?? 0) - (wanted.line ?? 0));
  const found = same.toSorted((a, b) => distance(a) - distance(b))[0];
  if (!found) return say('This error is no longer in your text. Look at the remaining ones.');
  const tried = await tryFixes(turn.latex, result, { compile, target: found });
  if (!tried)
    return say(
      [found.explanation, `None of the built-in fixes worked when tried. ${needsModel}`]
        .filter(Boolean)
        .join('\n\n'),
    );
  const text = keepScope(turn, tried.latex);
  return text ? propose(text, `${tried.fix.title}.`) : say(beyondSelection);
}

const beyondSelection =
  'This change goes beyond your selection, so nothing was changed. Clear the selection, or select more.';

type InScope =
  | { kind: 'changed'; text: ScopedText; description: string }
  | { kind: 'declined'; message: string };

function changeInScope(turn: NewTurn): InScope {
  const plan = parseChangeRequest(turn.message);
  // words are replaced only inside the selection
  if (turn.selection && plan.kind === 'plan' && plan.edits.every(({ type }) => type === 'replace')) {
    const applied = applyEdits(insideOf(turn), plan);
    if (applied.kind === 'refusal') return { kind: 'declined', message: applied.message };
    return { kind: 'changed', text: withInside(turn, applied.latex), description: applied.description };
  }
  const change = changeExactly(turn.latex, turn.message);
  if (change.kind === 'declined') return change;
  const text = keepScope(turn, change.latex);
  if (!text) return { kind: 'declined', message: beyondSelection };
  return { kind: 'changed', text, description: change.description };
}
