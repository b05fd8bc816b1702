import { trashDays } from '#shared/api/library.ts';
import { openAuthDialog } from '#web/lib/auth-dialog.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { SaverState } from './unsent/saver.ts';
import type { FactsControl } from './use-document-facts.ts';

interface EditorNoticesProps {
  facts: FactsControl;
  saving: SaverState | null;
  /** Why the figures are missing; nothing is compiled without them. */
  figuresProblem: string | null;
  onFetchFigures: () => void;
  /** Why the last action failed. */
  problem: string | null;
  onDismiss: () => void;
}

/** Notices that need attention, above the panes. */
export function EditorNotices(props: EditorNoticesProps) {
  const { facts, saving, figuresProblem, problem } = props;
  const isSignedOut = saving?.status === 'signed-out';
  const refusal = saving?.status === 'refused' ? saving.error : null;
  const hasAny = facts.problem || facts.trashedAt || isSignedOut || refusal || figuresProblem || problem;
  if (!hasAny) return null;
  return (
    <div className="grid max-h-[40dvh] shrink-0 gap-2 overflow-y-auto border-b border-hairline bg-paper p-2">
      {problem && <Notice tone="error" title={problem} onDismiss={props.onDismiss} />}
      {facts.problem && <Notice tone="error" title={facts.problem} onDismiss={facts.dismissProblem} />}
      {isSignedOut && (
        <Notice
          tone="warning"
          title="You are signed out. Your changes are not saved until you sign in again."
          actions={
            <Button size="small" variant="primary" onClick={() => openAuthDialog('login')}>
              Log In
            </Button>
          }
        />
      )}
      {refusal && (
        <Notice
          tone="error"
          title={
            refusal.code === 'NOT_FOUND'
              ? 'This document has been deleted for good, here or in another window.'
              : refusal.error
          }
        >
          Your text is still here. Copy or download it to keep it.
        </Notice>
      )}
      {figuresProblem && (
        <Notice
          tone="error"
          title={figuresProblem}
          actions={
            <Button size="small" onClick={props.onFetchFigures}>
              Try again
            </Button>
          }
        >
          The document is not compiled without its figures.
        </Notice>
      )}
      {facts.trashedAt && (
        <Notice
          tone="info"
          title={`This document is in the trash. It will be deleted for good ${describeEnd(facts.trashedAt)}.`}
          actions={
            <Button size="small" onClick={facts.restore}>
              Restore
            </Button>
          }
        />
      )}
    </div>
  );
}

function describeEnd(trashedAt: string): string {
  const end = new Date(trashedAt);
  end.setDate(end.getDate() + trashDays);
  return `on ${end.toLocaleDateString('en-GB', { dateStyle: 'long' })}`;
}

/** A sentence that is shown for a moment, and announced. */
export function News({ text }: { text: string | null }) {
  return (
    <>
      <p role="status" className="sr-only">
        {text}
      </p>
      {text && (
        <p
          aria-hidden="true"
          className="pointer-events-none fixed bottom-14 left-1/2 z-30 -translate-x-1/2 animate-settle rounded-lg bg-ink px-4 py-2.5 text-sm text-paper shadow-lg"
        >
          {text}
        </p>
      )}
    </>
  );
}
