import { Check, ChevronDown, ChevronUp, X } from 'lucide-react';
import { spellOutHidden } from '#latex/source/hidden-characters.ts';
import type { Warning } from '#shared/api/errors.ts';
import { cn } from '#web/ui/cn.ts';
import { Button, IconButton } from '#web/ui/controls/button.tsx';
import type { EditorHandle } from '../editor-handle.ts';
import type { Assistant } from './assistant.ts';
import { type Hunk, layOutHunk } from './hunks.ts';
import type { OpenProposal } from './proposal.ts';

interface ProposalCardProps {
  assistant: Assistant;
  proposal: OpenProposal;
  handle: EditorHandle;
  onGoTo: (id: number) => void;
}

/** The open proposal's card: how many parts, what each does, and buttons that decide on all of them. */
export function ProposalCard({ assistant, proposal, handle, onGoTo }: ProposalCardProps) {
  const { hunks, lost, current, total, change } = proposal;
  const ids = hunks.map(({ id }) => id);
  const at = hunks.findIndex(({ id }) => id === current);
  const step = (by: 1 | -1) => {
    const next = hunks[(at + by + hunks.length) % hunks.length];
    if (next) onGoTo(next.id);
  };
  const decided = proposal.accepted + proposal.rejected;
  return (
    <section aria-label="Proposed change" className="rounded-lg border border-edge bg-page">
      <div className="flex items-center gap-1 border-b border-hairline py-1 pr-1 pl-3">
        <p role="status" className="min-w-0 flex-1 text-[0.8125rem] font-medium">
          {describeCount(hunks.length, total, decided)}
        </p>
        {hunks.length > 1 && (
          <>
            <IconButton size="small" label="Previous change" onClick={() => step(-1)}>
              <ChevronUp />
            </IconButton>
            <IconButton size="small" label="Next change" onClick={() => step(1)}>
              <ChevronDown />
            </IconButton>
          </>
        )}
      </div>
      <Proof warnings={change.warnings} isWhole={decided === 0 && lost.length === 0} />
      <ol className="max-h-64 overflow-y-auto">
        {describeHunks(handle, hunks).map(({ hunk, line, words, isRemoval }) => (
          <li
            key={hunk.id}
            className={cn('flex items-center border-t border-hairline', hunk.id === current && 'bg-wash')}
          >
            <button
              type="button"
              aria-current={hunk.id === current || undefined}
              onClick={() => onGoTo(hunk.id)}
              className="min-h-10 min-w-0 flex-1 pointer-coarse:min-h-11 py-1.5 pl-3 text-left"
            >
              <span className="block text-xs text-graphite tabular-nums">Line {line}</span>
              <span className={cn('block truncate font-mono text-xs', isRemoval && 'line-through')}>
                {isRemoval && <span className="sr-only">Removes: </span>}
                {words}
              </span>
            </button>
            <IconButton
              size="small"
              label={`Accept the change in line ${line}`}
              onClick={() => assistant.accept([hunk.id])}
              className="text-green hover:text-green"
            >
              <Check />
            </IconButton>
            <IconButton
              size="small"
              label={`Reject the change in line ${line}`}
              onClick={() => assistant.reject([hunk.id])}
            >
              <X />
            </IconButton>
          </li>
        ))}
      </ol>
      {lost.length > 0 && (
        <p className="border-t border-hairline px-3 py-2 text-xs text-graphite">
          {lost.length === 1 ? 'One part no longer applies' : `${lost.length} parts no longer apply`}: the
          text there was changed in the meantime.
        </p>
      )}
      <div className="flex flex-wrap gap-2 border-t border-hairline p-2">
        {hunks.length > 0 && (
          <Button size="small" variant="primary" onClick={() => assistant.accept(ids)}>
            {hunks.length === 1 ? 'Accept' : 'Accept all'}
          </Button>
        )}
        <Button size="small" onClick={() => assistant.reject([...ids, ...lost.map(({ id }) => id)])}>
          {hunks.length === 0 ? 'Dismiss' : hunks.length === 1 ? 'Reject' : 'Reject all'}
        </Button>
      </div>
      {hunks.length > 0 && (
        <p className="hidden border-t border-hairline px-3 py-2 text-xs text-graphite pointer-fine:block">
          In the source: <kbd>Alt</kbd> <kbd>Enter</kbd> accepts, <kbd>Alt</kbd> <kbd>Backspace</kbd> rejects,{' '}
          <kbd>F7</kbd> goes to the next.
        </p>
      )}
    </section>
  );
}

/** What has been proved: all parts together compile, or the document was broken before and stays so. */
function Proof({ warnings, isWhole }: { warnings: readonly Warning[]; isWhole: boolean }) {
  if (warnings.length > 0)
    return (
      <p className="px-3 py-2 text-xs text-red">
        {spellOutHidden(warnings.map(({ message }) => message).join(' '))}
      </p>
    );
  return (
    <p className="flex items-start gap-1.5 px-3 py-2 text-xs text-green">
      <Check className="mt-px size-3.5 shrink-0" aria-hidden="true" />
      {isWhole
        ? 'Compiles with this change.'
        : 'The whole change compiles. The page shows whether the parts you accepted do.'}
    </p>
  );
}

function describeCount(left: number, total: number, decided: number): string {
  if (left === 0) return 'Nothing left to decide';
  if (decided > 0) return `${left} of ${total} changes left`;
  return left === 1 ? 'One change proposed' : `${left} changes proposed`;
}

/** What each part does, in one line: the new text, or the removed text. */
function describeHunks(handle: EditorHandle, hunks: readonly Hunk[]) {
  const doc = handle.view()?.state.doc;
  return hunks.map((hunk) => {
    const at = Math.min(hunk.from, doc?.length ?? 0);
    const shown = doc
      ? layOutHunk(hunk, {
          slice: (from, to) => doc.sliceString(from, to),
          lineAt: (place) => doc.lineAt(place),
        })
      : null;
    const isRemoval = shown?.lines === null && shown.old !== null;
    const text = isRemoval
      ? (doc?.sliceString(shown.old!.from, shown.old!.to) ?? '')
      : (shown?.lines?.map((part) => part.text).join('') ?? hunk.insert);
    return {
      hunk,
      line: doc?.lineAt(at).number ?? 1,
      words: spellOutHidden(text).trim().replace(/\s+/g, ' '),
      isRemoval,
    };
  });
}
