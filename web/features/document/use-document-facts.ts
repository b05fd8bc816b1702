/**
 * The document's metadata: title, star, engine, folder, trash. Changes are shown at once, and reverted if refused.
 */
import { useCallback, useRef, useState } from 'react';
import type { Engine } from '#shared/api/engine.ts';
import type { DocumentChange, DocumentSummary, SavedDocument } from '#shared/api/library.ts';
import type { ApiResult } from '#web/lib/api/api-client.ts';
import { describeError } from '#web/lib/api/describe-error.ts';
import { restoreDocument, updateDocument } from '#web/lib/api/document-api.ts';

interface DocumentFacts {
  title: string;
  folderId: string | null;
  isStarred: boolean;
  engine: Engine | null;
  trashedAt: string | null;
}

export interface FactsControl extends DocumentFacts {
  /** Why the last change was refused. */
  problem: string | null;
  dismissProblem: () => void;
  rename: (title: string) => void;
  star: (isStarred: boolean) => void;
  chooseEngine: (engine: Engine | null) => void;
  /** Restores it from the trash. */
  restore: () => void;
}

export function useDocumentFacts(document: SavedDocument): FactsControl {
  const [facts, setFacts] = useState(() => readFacts(document));
  const [problem, setProblem] = useState<string | null>(null);
  /** Only the response to the newest call counts. */
  const newest = useRef(0);
  const { id } = document;

  const change = useCallback(
    async (shown: Partial<DocumentFacts>, call: () => Promise<ApiResult<DocumentSummary>>) => {
      const number = ++newest.current;
      let before: DocumentFacts | null = null;
      setFacts((known) => {
        before = known;
        return { ...known, ...shown };
      });
      setProblem(null);
      const answer = await call();
      if (answer.ok && number === newest.current)
        setFacts((known) => ({ ...known, ...readFacts({ ...answer.data, engine: known.engine }) }));
      if (answer.ok) return;
      setProblem(describeError(answer.error));
      setFacts((known) => ({ ...known, ...pick(before ?? known, Object.keys(shown)) }));
    },
    [],
  );
  const update = (shown: Partial<DocumentFacts>, sent: DocumentChange) =>
    void change(shown, () => updateDocument(id, sent));

  return {
    ...facts,
    problem,
    dismissProblem: () => setProblem(null),
    rename: (title) => update({ title }, { title }),
    star: (isStarred) => update({ isStarred }, { starred: isStarred }),
    chooseEngine: (engine) => update({ engine }, { engine }),
    restore: () => void change({}, () => restoreDocument(id)),
  };
}

function readFacts(document: DocumentSummary & Pick<SavedDocument, 'engine'>): DocumentFacts {
  return {
    title: document.title,
    folderId: document.folder_id,
    isStarred: document.starred_at !== null,
    engine: document.engine,
    trashedAt: document.trashed_at,
  };
}

function pick(facts: DocumentFacts, keys: readonly string[]): Partial<DocumentFacts> {
  return Object.fromEntries(Object.entries(facts).filter(([key]) => keys.includes(key)));
}
