import { QueryClientProvider } from '@tanstack/react-query';
import { queryClient } from '#web/lib/api/query-client.ts';
import type { EditorHandle } from '../editor-handle.ts';
import { HistoryPanel } from './history-panel.tsx';

/** The history, with the library that fetches it: nothing else in the editor needs that one. */
export function HistoryDrawer(props: { handle: EditorHandle; version: number }) {
  return (
    <QueryClientProvider client={queryClient}>
      <HistoryPanel {...props} />
    </QueryClientProvider>
  );
}
