import { useCredits } from '#web/lib/credits.ts';
import { openCreditsDialog } from '#web/lib/credits-dialog.ts';

/** What a change costs and what there is: "Uses 1 of your 5 AI conversations". */
export function ConversationsLine() {
  const credits = useCredits();
  if (credits.kind !== 'known') return null;
  const available = credits.credits.assistant;
  return (
    <p className="px-3 pb-2 text-xs text-graphite tabular-nums">
      {available > 0 ? (
        available === 1 ? (
          'Uses your last AI conversation.'
        ) : (
          `Uses 1 of your ${available} AI conversations.`
        )
      ) : (
        <>
          You have no AI conversations left.{' '}
          <button
            type="button"
            className="rounded text-ink underline decoration-edge underline-offset-4 hover:decoration-ink pointer-coarse:min-h-11"
            onClick={() => openCreditsDialog({ kind: 'assistant', required: 1, available })}
          >
            Get more
          </button>
        </>
      )}
    </p>
  );
}
