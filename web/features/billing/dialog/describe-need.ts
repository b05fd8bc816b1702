import type { CreditsNeed } from '#web/lib/billing/credits-dialog.ts';
import { describeConversations, describePages } from '../describe-credits.ts';

/** What is missing, in words. */
export function describeNeed({ kind, required, available }: CreditsNeed): { title: string; text: string } {
  const count = kind === 'conversion' ? describePages : describeConversations;
  const title = kind === 'conversion' ? 'Not enough pages' : 'No AI conversations left';
  if (required === null || available === null)
    return {
      title,
      text:
        kind === 'conversion'
          ? 'This needs more pages than you have.'
          : 'Each change by the assistant uses one.',
    };
  const missing = required - available;
  const text =
    kind === 'conversion'
      ? `This takes ${count(required)}; you have ${available}. ${missing === 1 ? 'One more is' : `${missing} more are`} needed.`
      : `A change uses ${count(required)}; you have ${available}.`;
  return { title, text };
}
