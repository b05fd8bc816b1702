import { useNavigate } from 'react-router';
import { describeError } from '#web/lib/api/describe-error.ts';
import { duplicateDocument, trashDocument } from '#web/lib/api/document-api.ts';
import { folderAddress } from './top-bar.tsx';

interface Options {
  documentId: string;
  folderId: string | null;
  /** @returns whether the server has everything */
  saveAll: () => Promise<boolean>;
  /** Why it did not work; null before a try. */
  onProblem: (text: string | null) => void;
}

export const unsaved = 'Your changes are not saved yet. Try again in a moment.';

/** The actions that lead away from a document, once it is saved. */
export function useLeaving({ documentId, folderId, saveAll, onProblem }: Options) {
  const navigate = useNavigate();
  const leaveFor = async (
    work: () => Promise<{ ok: true; address: string } | { ok: false; text: string }>,
  ) => {
    onProblem(null);
    if (!(await saveAll())) return onProblem(unsaved);
    const done = await work();
    if (done.ok) void navigate(done.address);
    else onProblem(done.text);
  };
  return {
    duplicate: () =>
      void leaveFor(async () => {
        const answer = await duplicateDocument(documentId);
        return answer.ok
          ? { ok: true, address: `/documents/${answer.data.id}` }
          : { ok: false, text: describeError(answer.error) };
      }),
    trash: () =>
      void leaveFor(async () => {
        const answer = await trashDocument(documentId);
        return answer.ok
          ? { ok: true, address: folderAddress(folderId) }
          : { ok: false, text: describeError(answer.error) };
      }),
  };
}
