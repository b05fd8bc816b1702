import { lazy, Suspense, useCallback, useEffect, useState } from 'react';
import { Loading } from '#web/ui/loading.tsx';
import { DropZone } from './drop-zone.tsx';
import { EmptyDesk } from './empty-desk.tsx';
import { findSessionRecord } from './session-record.ts';

const loadDesk = () => import('./desk.tsx');
const Desk = lazy(async () => ({ default: (await loadDesk()).Desk }));

/**
 * The converter. An empty desk is light; the desk with everything on it is fetched while the person picks a file, or
 * at once when a conversion is under way in this tab.
 */
export function ConvertScreen() {
  const [files, setFiles] = useState<File[] | null>(null);
  useEffect(() => {
    if (findSessionRecord()) setFiles([]);
    const idle = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 300));
    idle(() => void loadDesk());
  }, []);
  const handleEmpty = useCallback(() => setFiles(null), []);

  if (files === null)
    return (
      <DropZone onFiles={setFiles}>
        <EmptyDesk onFiles={setFiles} />
      </DropZone>
    );
  return (
    <Suspense fallback={<Loading isPage />}>
      <Desk initialFiles={files} onEmpty={handleEmpty} />
    </Suspense>
  );
}
