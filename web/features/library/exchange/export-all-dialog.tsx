import { Download } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { describeError } from '#web/lib/api/describe-error.ts';
import { describeBytes } from '#web/lib/api/download-file.ts';
import { exportLibrary } from '#web/lib/api/exchange-api.ts';
import { saveBlob } from '#web/lib/save-blob.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog } from '#web/ui/dialogs/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';

type Progress =
  | { kind: 'idle' }
  | { kind: 'busy' | 'done'; bytes: number }
  | { kind: 'failed'; text: string };

/** Exports the whole library as one archive. */
export function ExportAllDialog({ onClose }: { onClose: () => void }) {
  const [progress, setProgress] = useState<Progress>({ kind: 'idle' });
  const underWay = useRef<AbortController | null>(null);
  useEffect(() => () => underWay.current?.abort(), []);

  const handleExport = async () => {
    const controller = new AbortController();
    underWay.current = controller;
    setProgress({ kind: 'busy', bytes: 0 });
    try {
      const answer = await exportLibrary({
        signal: controller.signal,
        onProgress: (bytes) => setProgress({ kind: 'busy', bytes }),
      });
      if (!answer.ok) return setProgress({ kind: 'failed', text: describeError(answer.error) });
      const { blob, name } = answer.data;
      saveBlob(blob, name.replace(/\.zip$/, ` ${new Date().toISOString().slice(0, 10)}.zip`));
      setProgress({ kind: 'done', bytes: blob.size });
    } catch {
      setProgress({ kind: 'idle' });
    }
  };

  return (
    <Dialog
      isOpen
      title="Export everything"
      description="One zip with all your documents in their folders: LaTeX, figures and the last PDF of each. Documents in the trash are not included."
      onClose={onClose}
    >
      {progress.kind === 'failed' && <Notice tone="error" className="mb-4" title={progress.text} />}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="text-[0.8125rem] text-graphite">
          {progress.kind === 'busy' &&
            (progress.bytes === 0 ? 'Packing your documents' : `${describeBytes(progress.bytes)} so far`)}
          {progress.kind === 'done' &&
            `Downloaded: ${describeBytes(progress.bytes)}. It is in your downloads folder.`}
        </p>
        {progress.kind === 'busy' ? (
          <Button onClick={() => underWay.current?.abort()}>Cancel</Button>
        ) : progress.kind === 'done' ? (
          <Button data-first-focus variant="primary" onClick={onClose}>
            Done
          </Button>
        ) : (
          <Button
            data-first-focus
            variant="primary"
            icon={<Download className="size-4" />}
            onClick={() => void handleExport()}
          >
            Download the zip
          </Button>
        )}
      </div>
    </Dialog>
  );
}
