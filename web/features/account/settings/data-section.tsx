import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { describeError } from '#web/lib/api/describe-error.ts';
import { describeBytes } from '#web/lib/api/download-file.ts';
import { saveBlob } from '#web/lib/save-blob.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Section } from '#web/ui/section.tsx';
import { downloadExport } from './account-api.ts';
import type { Account } from './account-calls.ts';
import { DeleteAccountDialog } from './delete-account-dialog.tsx';
import { takeDeletionIntent } from './deletion-intent.ts';

interface DataSectionProps {
  account: Account;
  onDeleted: () => void;
}

/** The user's data: export and deletion. */
export function DataSection({ account, onDeleted }: DataSectionProps) {
  const [isDeleting, setIsDeleting] = useState(false);
  const [isProven, setIsProven] = useState(false);
  // returned from Google, where the user has proved their identity
  useEffect(() => {
    if (!takeDeletionIntent()) return;
    setIsProven(true);
    setIsDeleting(true);
  }, []);

  return (
    <Section title="Your data">
      <Export />
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 sm:flex-nowrap border-t border-hairline pt-5">
        <div className="max-w-[30em]">
          <h3 className="font-medium">Delete account</h3>
          <p className="text-graphite">Removes your account and everything in it. This cannot be undone.</p>
        </div>
        <Button variant="danger" onClick={() => setIsDeleting(true)}>
          Delete account…
        </Button>
      </div>
      <DeleteAccountDialog
        account={account}
        isOpen={isDeleting}
        isProven={isProven}
        onClose={() => setIsDeleting(false)}
        onDeleted={onDeleted}
      />
    </Section>
  );
}

type ExportState =
  | { kind: 'idle' }
  | { kind: 'loading'; bytes: number }
  | { kind: 'done'; bytes: number }
  | { kind: 'failed'; text: string };

function Export() {
  const [state, setState] = useState<ExportState>({ kind: 'idle' });
  const cancel = useRef<AbortController | null>(null);
  useEffect(() => () => cancel.current?.abort(), []);

  const handleExport = async () => {
    const controller = new AbortController();
    cancel.current = controller;
    setState({ kind: 'loading', bytes: 0 });
    try {
      const result = await downloadExport({
        signal: controller.signal,
        onProgress: (bytes) => setState({ kind: 'loading', bytes }),
      });
      if (!result.ok) return setState({ kind: 'failed', text: describeError(result.error) });
      saveBlob(result.data.blob, `inkproof-export-${new Date().toISOString().slice(0, 10)}.zip`);
      setState({ kind: 'done', bytes: result.data.blob.size });
    } catch {
      setState({ kind: 'idle' });
    }
  };

  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 sm:flex-nowrap">
        <div className="max-w-[30em]">
          <h3 className="font-medium">Export everything</h3>
          <p className="text-graphite">
            A zip with your work, your credits and your account data, in formats other programs can read.
          </p>
        </div>
        {state.kind === 'loading' ? (
          <Button onClick={() => cancel.current?.abort()}>Cancel</Button>
        ) : (
          <Button icon={<Download className="size-4" />} onClick={() => void handleExport()}>
            Download the zip
          </Button>
        )}
      </div>
      <p role="status" className="text-[0.8125rem] text-graphite empty:hidden">
        {state.kind === 'loading' &&
          (state.bytes === 0 ? 'Packing your data' : `${describeBytes(state.bytes)} so far`)}
        {state.kind === 'done' &&
          `Downloaded: ${describeBytes(state.bytes)}. It is in your downloads folder.`}
      </p>
      {state.kind === 'failed' && <Notice tone="error" title={state.text} />}
    </>
  );
}
