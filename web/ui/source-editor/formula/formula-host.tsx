import type { EditorView } from '@codemirror/view';
import { lazy, Suspense, useEffect, useState } from 'react';
import { retryImport } from '#web/lib/retry-import.ts';
import { DialogOnItsWay } from '#web/ui/dialogs/dialog-on-its-way.tsx';
import { openFormula } from '../extensions/ask-formula.ts';
import { watchUpdates } from '../panels/use-view.ts';

const FormulaDialog = lazy(async () => ({
  default: (await retryImport(() => import('./formula-dialog.tsx'))).FormulaDialog,
}));

/** Opens the visual editor of formulas on request. */
export function FormulaHost({ view }: { view: EditorView }) {
  const [at, setAt] = useState<number | null>(null);
  useEffect(
    () =>
      watchUpdates(view, ({ transactions }) => {
        for (const { effects } of transactions)
          for (const effect of effects) if (effect.is(openFormula)) setAt(effect.value);
      }),
    [view],
  );
  if (at === null) return null;
  return (
    <Suspense fallback={<DialogOnItsWay onClose={() => setAt(null)} />}>
      <FormulaDialog view={view} at={at} onClose={() => setAt(null)} />
    </Suspense>
  );
}
