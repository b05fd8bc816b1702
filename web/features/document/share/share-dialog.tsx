import { Check, Copy, Link2, Trash2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import { maxShares, type Share } from '#shared/api/library.ts';
import { describeError } from '#web/lib/api/describe-error.ts';
import { createShare, listShares, revokeShare } from '#web/lib/api/document-api.ts';
import { useCopy } from '#web/lib/hooks/use-copy.ts';
import { Button, IconButton } from '#web/ui/controls/button.tsx';
import { Spinner } from '#web/ui/controls/loading.tsx';
import { inputClass } from '#web/ui/controls/text-field.tsx';
import { Dialog } from '#web/ui/dialogs/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';

interface ShareDialogProps {
  documentId: string;
  isOpen: boolean;
  onClose: () => void;
}

/** Read-only links: create, copy, revoke. */
export function ShareDialog({ documentId, isOpen, onClose }: ShareDialogProps) {
  return (
    <Dialog
      isOpen={isOpen}
      title="Share"
      description="Anyone with a link can see the title and the PDF as they are when they open it. Nobody can change anything, and search engines are told not to index it."
      onClose={onClose}
    >
      {isOpen && <Links documentId={documentId} />}
    </Dialog>
  );
}

function Links({ documentId }: { documentId: string }) {
  const [shares, setShares] = useState<readonly Share[] | null>(null);
  /** The addresses of links created here: a link's token is only returned once. */
  const [addresses, setAddresses] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  useEffect(() => {
    const end = new AbortController();
    listShares(documentId, end.signal).then(
      (answer) => (answer.ok ? setShares(answer.data) : setProblem(describeError(answer.error))),
      // closed
      () => undefined,
    );
    return () => end.abort();
  }, [documentId]);

  const handleCreate = async () => {
    setIsBusy(true);
    setProblem(null);
    const answer = await createShare(documentId);
    setIsBusy(false);
    if (!answer.ok) return setProblem(describeError(answer.error));
    const { id, created_at, token } = answer.data;
    setAddresses((known) => ({ ...known, [id]: `${location.origin}/shared/${token}` }));
    setShares((known) => [...(known ?? []), { id, created_at }]);
  };
  const handleRevoke = async (id: string) => {
    setProblem(null);
    const answer = await revokeShare(documentId, id);
    if (!answer.ok && answer.error.code !== 'NOT_FOUND') return setProblem(describeError(answer.error));
    setShares((known) => known?.filter((share) => share.id !== id) ?? null);
  };

  return (
    <div className="grid gap-4">
      {problem && <Notice tone="error" title={problem} />}
      {shares === null && !problem && (
        <span className="grid place-items-center p-4">
          <Spinner className="size-6" />
        </span>
      )}
      {shares && shares.length > 0 && (
        <ul aria-label="Links" className="divide-y divide-hairline border-y border-hairline">
          {shares.map((share) => (
            <LinkRow
              key={share.id}
              share={share}
              address={addresses[share.id]}
              onRevoke={() => handleRevoke(share.id)}
            />
          ))}
        </ul>
      )}
      <Button
        variant="primary"
        data-first-focus
        isBusy={isBusy}
        disabled={shares === null || shares.length >= maxShares}
        icon={<Link2 className="size-4" />}
        onClick={() => void handleCreate()}
      >
        {shares?.length ? 'Create another link' : 'Create a link'}
      </Button>
      {shares && shares.length >= maxShares && (
        <p className="text-sm text-graphite">
          A document can have {maxShares} links. Revoke one to create another.
        </p>
      )}
    </div>
  );
}

interface LinkRowProps {
  share: Share;
  /** Known only for a link that was just created. */
  address: string | undefined;
  onRevoke: () => Promise<void>;
}

function LinkRow({ share, address, onRevoke }: LinkRowProps) {
  const { outcome, copy } = useCopy();
  const [isBusy, setIsBusy] = useState(false);
  const made = new Date(share.created_at).toLocaleString('en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  return (
    <li className="grid gap-2 py-3">
      <div className="flex items-center gap-2">
        <p className="min-w-0 flex-1 text-sm">
          <span className="text-graphite">Created on</span> {made}
        </p>
        <IconButton
          size="small"
          label={`Revoke the link created on ${made}`}
          disabled={isBusy}
          onClick={async () => {
            setIsBusy(true);
            await onRevoke();
            setIsBusy(false);
          }}
        >
          <Trash2 />
        </IconButton>
      </div>
      {address && (
        <>
          <div className="flex gap-2">
            <input
              readOnly
              aria-label="Link"
              value={address}
              onFocus={(event) => event.target.select()}
              className={`${inputClass} h-10 text-[0.8125rem]`}
            />
            <Button
              icon={
                outcome === 'copied' ? <Check className="size-4 text-green" /> : <Copy className="size-4" />
              }
              onClick={() => void copy(address)}
            >
              {outcome === 'copied' ? 'Copied' : 'Copy'}
            </Button>
          </div>
          <p className="text-xs text-graphite" role="status">
            {outcome === 'refused'
              ? 'Your browser blocked copying: select the link and copy it yourself. It won’t be shown again.'
              : 'Copy it now: it won’t be shown again.'}
          </p>
        </>
      )}
    </li>
  );
}
