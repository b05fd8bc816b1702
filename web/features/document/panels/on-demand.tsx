/** Parts of the editor that are loaded when they are first opened. */
import { type ComponentProps, lazy, type ReactNode, Suspense } from 'react';
import { retryImport } from '#web/lib/retry-import.ts';
import { Loading } from '#web/ui/controls/loading.tsx';
import { DialogOnItsWay } from '#web/ui/dialogs/dialog-on-its-way.tsx';

export const ExportDialog = lazy(async () => ({
  default: (await retryImport(() => import('#web/ui/dialogs/export-dialog.tsx'))).ExportDialog,
}));
export const ShareDialog = lazy(async () => ({
  default: (await retryImport(() => import('../share/share-dialog.tsx'))).ShareDialog,
}));
export const FiguresPanel = lazy(async () => ({
  default: (await retryImport(() => import('../figures/figures-panel.tsx'))).FiguresPanel,
}));
const LoadedInkPane = lazy(async () => ({
  default: (await retryImport(() => import('../linked/ink-pane.tsx'))).InkPane,
}));

export function InkPane(props: ComponentProps<typeof LoadedInkPane>) {
  return (
    <Suspense fallback={<Loading />}>
      <LoadedInkPane {...props} />
    </Suspense>
  );
}

interface OnDemandProps {
  /** Null before it was opened for the first time. */
  isOpen: boolean | null;
  onClose: () => void;
  /** A dialog, which stays once it was opened. */
  children: ReactNode;
}

export function OnDemand({ isOpen, onClose, children }: OnDemandProps) {
  if (isOpen === null) return null;
  return <Suspense fallback={isOpen && <DialogOnItsWay onClose={onClose} />}>{children}</Suspense>;
}
