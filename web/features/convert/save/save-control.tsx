import { ArrowUpRight, BookmarkPlus, Check, Save } from 'lucide-react';
import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import type { ConverterState } from '../run/converter-state.ts';
import { SaveDialog } from './save-dialog.tsx';
import { useSaveResult } from './use-save-result.ts';

interface SaveControlProps {
  converter: ConverterState;
  isDisabled: boolean;
  /** A more urgent button is next to it. */
  isQuiet: boolean;
}

/** Saves the result to the documents, shows that it is saved, and saves later changes. */
export function SaveControl({ converter, isDisabled, isQuiet }: SaveControlProps) {
  const [isOpen, setIsOpen] = useState(false);
  const control = useSaveResult(converter, {
    onSignIn: () => setIsOpen(false),
    onResume: () => setIsOpen(true),
  });
  const { document, isUpToDate, state, saveAgain } = control;
  const isSaving = state.kind === 'saving';
  const openLink = useRef<HTMLAnchorElement>(null);

  const handleAgain = async () => {
    if (!(await saveAgain())) setIsOpen(true);
  };
  const handleClose = () => {
    setIsOpen(false);
    if (!isSaving) control.reset();
  };

  return (
    <>
      {document === null ? (
        <Button
          variant={isQuiet ? 'outline' : 'primary'}
          size="small"
          isBusy={isSaving && !isOpen}
          disabled={isDisabled}
          icon={<BookmarkPlus className="size-4" />}
          onClick={() => setIsOpen(true)}
        >
          <span className="max-sm:sr-only">
            Save<span className="max-2xl:sr-only"> to my documents</span>
          </span>
        </Button>
      ) : (
        <>
          {isUpToDate ? (
            <span
              className="flex items-center gap-1.5 pl-2 text-[0.8125rem] text-graphite max-sm:sr-only"
              role="status"
            >
              <Check className="size-4 text-green" aria-hidden="true" />
              Saved
            </span>
          ) : (
            <Button
              size="small"
              isBusy={isSaving && !isOpen}
              disabled={isDisabled}
              icon={<Save className="size-4 sm:hidden" />}
              onClick={() => void handleAgain()}
            >
              <span className="max-sm:sr-only">Save changes</span>
            </Button>
          )}
          <Link
            ref={openLink}
            to={`/documents/${document.id}`}
            className={buttonClass({ size: 'small', variant: 'quiet' })}
          >
            <ArrowUpRight className="size-4 sm:hidden" aria-hidden="true" />
            <span className="max-sm:sr-only">Open</span>
          </Link>
        </>
      )}
      <SaveDialog control={control} isOpen={isOpen} onClose={handleClose} findHeir={() => openLink.current} />
    </>
  );
}
