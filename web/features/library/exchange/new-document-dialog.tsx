import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router';
import type { TemplateSummary } from '#shared/api/exchange.ts';
import { describeError } from '#web/lib/api/describe-error.ts';
import { createFromTemplate, listTemplates } from '#web/lib/api/exchange-api.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Spinner } from '#web/ui/controls/loading.tsx';
import { Dialog } from '#web/ui/dialogs/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';

interface NewDocumentDialogProps {
  folderId: string | null;
  onClose: () => void;
}

/** Chooses the template of a new document; the pictures are of the compiled templates. */
export function NewDocumentDialog({ folderId, onClose }: NewDocumentDialogProps) {
  const navigate = useNavigate();
  const query = useQuery({
    queryKey: ['templates'],
    queryFn: ({ signal }) => listTemplates(signal),
    staleTime: (known) => (known.state.data?.ok ? Number.POSITIVE_INFINITY : 0),
  });
  const [made, setMade] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  // pressed twice, it is created once
  const saveId = useRef(crypto.randomUUID());

  const handleChoose = async (template: TemplateSummary['id']) => {
    if (made !== null) return;
    setMade(template);
    setError(null);
    const answer = await createFromTemplate({ template, folder_id: folderId, save_id: saveId.current });
    if (answer.ok) return void navigate(`/documents/${answer.data.id}`);
    setMade(null);
    saveId.current = crypto.randomUUID();
    setError(describeError(answer.error));
  };

  return (
    <Dialog
      isOpen
      size="wide"
      title="New document"
      description={
        <>
          Each starts with your own macros and notation, which are set in{' '}
          <Link to="/account#preamble" className="underline underline-offset-2">
            your account
          </Link>
          .
        </>
      }
      onClose={onClose}
    >
      {error && <Notice tone="error" className="mb-5" title={error} />}
      {query.data?.ok === false ? (
        <Notice
          tone="error"
          title="The templates could not be shown"
          actions={<Button onClick={() => void query.refetch()}>Try again</Button>}
        />
      ) : (
        <ul
          // the cards may load after the dialog: the next Tab focuses the first of them
          tabIndex={-1}
          data-first-focus
          className="grid grid-cols-2 gap-x-5 gap-y-6 outline-none sm:grid-cols-3"
          aria-busy={query.isPending}
        >
          {query.data?.data.templates.map((template) => (
            <li key={template.id}>
              <TemplateCard
                template={template}
                isMade={made === template.id}
                isDisabled={made !== null}
                onChoose={() => void handleChoose(template.id)}
              />
            </li>
          )) ?? ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => <Waiting key={key} />)}
        </ul>
      )}
      <p role="status" className="sr-only">
        {made !== null && 'Creating the document'}
      </p>
    </Dialog>
  );
}

interface TemplateCardProps {
  template: TemplateSummary;
  isMade: boolean;
  isDisabled: boolean;
  onChoose: () => void;
}

function TemplateCard({ template, isMade, isDisabled, onChoose }: TemplateCardProps) {
  return (
    <button
      type="button"
      onClick={onChoose}
      disabled={isDisabled}
      className="group block w-full rounded-lg text-left"
    >
      {/* a sheet of paper, white in the dark scheme too */}
      <span className="relative block aspect-[4/5] overflow-hidden rounded-[3px] border border-hairline bg-white shadow-[0_1px_3px_oklch(0.2_0.04_266/0.12)] transition-shadow duration-150 group-hover:shadow-[0_6px_18px_-4px_oklch(0.2_0.04_266/0.3)]">
        <img
          src={`/templates/${template.id}.webp`}
          alt=""
          width={480}
          height={679}
          className="w-full"
          draggable={false}
        />
        {isMade && (
          <span className="absolute inset-0 grid place-items-center bg-white/70">
            <Spinner className="size-6 text-[oklch(0.35_0.04_266)]" />
          </span>
        )}
      </span>
      <span className="mt-2.5 block text-sm font-medium">{template.name}</span>
      <span className="mt-0.5 block text-[0.8125rem] leading-snug text-graphite">{template.description}</span>
    </button>
  );
}

function Waiting() {
  return (
    <li>
      <div className="aspect-[4/5] rounded-[3px] bg-wash" />
      <div className="mt-3 h-3 w-2/3 rounded bg-wash" />
    </li>
  );
}
