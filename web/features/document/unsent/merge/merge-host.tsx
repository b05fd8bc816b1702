import { GitMerge } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { retryImport } from '#web/lib/retry-import.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { EditedText, Saver } from '../saver.ts';
import { useSaverState } from '../use-saver-state.ts';

// until it is loaded, the notice says that the text is kept
const MergeScreen = lazy(async () => ({
  default: (await retryImport(() => import('./merge-screen.tsx'))).MergeScreen,
}));

interface MergeHostProps {
  saver: Saver | null;
  /** The text that the saver was given. */
  text: EditedText | null;
}

/** Opens the merge screen when there is a conflict; if postponed, shows a notice above the text that reopens it. */
export function MergeHost({ saver, text }: MergeHostProps) {
  const conflict = useSaverState(saver)?.conflict ?? null;
  const [mine, setMine] = useState<string | null>(null);
  useEffect(() => {
    setMine(conflict && text ? text.get() : null);
  }, [conflict, text]);

  if (!saver || !text || !conflict) return null;
  const notice = (
    <Notice
      tone="warning"
      title="This text was changed in two places. It is kept on this device, and not saved until both are merged."
      className="m-3"
      actions={
        <Button
          size="small"
          variant="primary"
          icon={<GitMerge className="size-4" />}
          isBusy={mine !== null}
          onClick={() => setMine(text.get())}
        >
          Merge them
        </Button>
      }
    />
  );
  if (mine === null) return notice;
  return (
    <Suspense fallback={notice}>
      <MergeScreen
        conflict={conflict}
        mine={mine}
        onResolve={(latex) => saver.resolve(latex)}
        onLater={() => setMine(null)}
      />
    </Suspense>
  );
}
