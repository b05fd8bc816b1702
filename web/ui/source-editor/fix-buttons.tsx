import { lazy, Suspense, useRef, useState } from 'react';
import type { LogFix } from '#shared/api/errors.ts';
import type { AllFixes } from '#web/lib/compile-session/fixes.ts';
import type { CompileSession } from '#web/lib/compile-session/live-state.ts';
import { useLiveState } from '#web/lib/compile-session/use-compile-session.ts';
import { cn } from '#web/ui/cn.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { DialogOnItsWay } from '#web/ui/dialogs/dialog-on-its-way.tsx';

const FixAllDialog = lazy(async () => ({ default: (await import('./fix-all-dialog.tsx')).FixAllDialog }));

/** Each step applies to the text that the previous one leaves. */
export type ApplyFixes = (steps: readonly LogFix[]) => void;

/** The fix for the first error, if the server has found one that works. */
export function FixButton({
  session,
  onApply,
  isWordy = false,
}: {
  session: CompileSession | null;
  onApply: ApplyFixes;
  /** Shows what the fix does next to the button's name. */
  isWordy?: boolean;
}) {
  const offered = useLiveState(session, ({ fix }) => fix);
  if (offered?.kind !== 'fix') return null;
  const { fix } = offered;
  return (
    <Button
      size="small"
      variant={isWordy ? 'outline' : 'quiet'}
      title={fix.title}
      className={cn('animate-appear', isWordy && 'max-w-full')}
      onClick={() => onApply([fix])}
    >
      Apply fix
      {isWordy && <span className="truncate font-normal text-graphite">{fix.title}</span>}
    </Button>
  );
}

/** Fixes one error after the other, and shows the changes before applying them. */
export function FixAllButton({
  session,
  onApply,
  className,
}: {
  session: CompileSession | null;
  onApply: ApplyFixes;
  className?: string;
}) {
  const canFix = useLiveState(session, ({ fix }) => fix?.kind === 'fix');
  const [found, setFound] = useState<AllFixes | 'trying' | null>(null);
  const lastRequest = useRef(0);
  const close = () => {
    lastRequest.current++;
    setFound(null);
  };
  const handleClick = async () => {
    if (!session) return;
    const own = ++lastRequest.current;
    setFound('trying');
    const all = await session.fixAll();
    if (lastRequest.current === own) setFound(all);
  };
  return (
    <>
      {canFix && (
        <Button
          size="small"
          variant="quiet"
          className={cn('animate-appear', className)}
          onClick={() => void handleClick()}
        >
          Fix all
        </Button>
      )}
      {found !== null && (
        <Suspense fallback={<DialogOnItsWay onClose={close} />}>
          <FixAllDialog
            found={found}
            onClose={close}
            onApply={(steps) => {
              close();
              onApply(steps);
            }}
          />
        </Suspense>
      )}
    </>
  );
}
