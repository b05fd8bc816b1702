import { useCredits } from '#web/lib/billing/credits.ts';
import { openCreditsDialog } from '#web/lib/billing/credits-dialog.ts';
import { ConversationsLeft } from '#web/ui/conversations-left.tsx';

/** What a change costs and what is left: "Uses 1 of your 5 AI conversations". */
export function ConversationsLine() {
  const credits = useCredits();
  if (credits.kind !== 'known') return null;
  const available = credits.credits.assistant;
  return (
    <ConversationsLeft
      available={available}
      some={
        available === 1 ? 'Uses your last AI conversation.' : `Uses 1 of your ${available} AI conversations.`
      }
      none="You have no AI conversations left."
      onGetMore={() => openCreditsDialog({ kind: 'assistant', required: 1, available })}
    />
  );
}
