import { useMemo, useRef } from 'react';
import { applyFix } from '#latex/log/apply-fix.ts';
import type { LogFix } from '#shared/api/errors.ts';
import type { AllFixes } from '#web/lib/compile-session/fixes.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Loading } from '#web/ui/controls/loading.tsx';
import { Dialog } from '#web/ui/dialogs/dialog.tsx';
import type { ApplyFixes } from './fix-buttons.tsx';
import { TextComparison, type TextComparisonHandle } from './text-comparison.tsx';

interface FixAllDialogProps {
  found: AllFixes | 'trying';
  onApply: ApplyFixes;
  onClose: () => void;
}

/** What "Fix all" would change; nothing is changed until it is accepted. */
export function FixAllDialog({ found, onApply, onClose }: FixAllDialogProps) {
  return (
    <Dialog isOpen title="Fix all" description={describeFound(found)} size="wide" onClose={onClose}>
      {found === 'trying' || found.kind !== 'fixed' ? (
        <>
          {found === 'trying' && (
            <div className="h-40 overflow-hidden">
              <Loading label="Trying fixes" />
            </div>
          )}
          <div className="mt-6 flex justify-end">
            <Button onClick={onClose}>{found === 'trying' ? 'Cancel' : 'Close'}</Button>
          </div>
        </>
      ) : (
        <Preview latex={found.latex} steps={found.steps} onApply={onApply} onClose={onClose} />
      )}
    </Dialog>
  );
}

interface PreviewProps {
  latex: string;
  steps: readonly LogFix[];
  onApply: ApplyFixes;
  onClose: () => void;
}

function Preview({ latex, steps, onApply, onClose }: PreviewProps) {
  const comparison = useRef<TextComparisonHandle>(null);
  const fixed = useMemo(
    () => steps.reduce((text, step) => applyFix(text, step) ?? text, latex),
    [latex, steps],
  );
  return (
    <>
      <ol className="mb-4 grid max-h-36 list-decimal gap-1 overflow-y-auto pl-5 text-sm marker:text-graphite">
        {steps.map(({ title }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <li key={index} className="break-words">
            {title}
          </li>
        ))}
      </ol>
      <div className="h-[min(24rem,45dvh)] overflow-hidden rounded-lg border border-hairline">
        <TextComparison ref={comparison} from={latex} to={fixed} mode="unified" isFolded />
      </div>
      <div className="mt-6 flex flex-wrap justify-end gap-2">
        <Button onClick={onClose}>Cancel</Button>
        <Button variant="primary" data-first-focus onClick={() => onApply(steps)}>
          {steps.length === 1 ? 'Apply fix' : `Apply ${steps.length} fixes`}
        </Button>
      </div>
    </>
  );
}

function describeFound(found: AllFixes | 'trying'): string {
  if (found === 'trying') return 'Each fix is compiled before it is offered.';
  switch (found.kind) {
    case 'none':
      return 'No fix was found that works.';
    case 'busy':
      return 'The server is busy right now. Try again in a moment.';
    case 'overtaken':
      return 'The text has changed in the meantime. Press Fix all again.';
    case 'fixed':
      if (found.left === 0) return 'The text compiles with these changes. Nothing else is touched.';
      return `These changes leave ${found.left === 1 ? '1 error' : `${found.left} errors`} that you have to fix yourself.`;
  }
}
