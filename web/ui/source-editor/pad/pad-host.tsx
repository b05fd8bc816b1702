import type { EditorView } from '@codemirror/view';
import { lazy, Suspense, useEffect, useState } from 'react';
import { retryImport } from '#web/lib/retry-import.ts';
import { DialogOnItsWay } from '#web/ui/dialogs/dialog-on-its-way.tsx';
import { openPad } from '../extensions/ask-pad.ts';
import { watchUpdates } from '../panels/use-view.ts';

const PadDialog = lazy(async () => ({
  default: (await retryImport(() => import('./pad-dialog.tsx'))).PadDialog,
}));

/** Opens the pad on request. */
export function PadHost({ view }: { view: EditorView }) {
  const [isOpen, setIsOpen] = useState(false);
  useEffect(
    () =>
      watchUpdates(view, ({ transactions }) => {
        for (const { effects } of transactions)
          if (effects.some((effect) => effect.is(openPad))) setIsOpen(true);
      }),
    [view],
  );
  if (!isOpen) return null;
  return (
    <Suspense fallback={<DialogOnItsWay onClose={() => setIsOpen(false)} />}>
      <PadDialog view={view} onClose={() => setIsOpen(false)} />
    </Suspense>
  );
}
