import { QueryClientProvider } from '@tanstack/react-query';
import { ConvertScreen } from '#web/features/convert/convert-screen.tsx';
import { queryClient } from '#web/lib/api/query-client.ts';
import { describePage } from '#web/lib/page/page-meta.ts';

export function meta() {
  return describePage({
    path: '/convert',
    title: 'Convert notes to LaTeX · Inkproof',
    description:
      'Add photos, scans or PDFs of your notes and get LaTeX that compiles, with the PDF next to it.',
  });
}

export default function Convert() {
  return (
    <QueryClientProvider client={queryClient}>
      <ConvertScreen />
    </QueryClientProvider>
  );
}
