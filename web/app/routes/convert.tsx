import { QueryClientProvider } from '@tanstack/react-query';
import { ConvertScreen } from '#web/features/convert/convert-screen.tsx';
import { queryClient } from '#web/lib/query-client.ts';

export function meta() {
  return [
    { title: 'Convert · Inkproof' },
    {
      name: 'description',
      content: 'Put photos, scans or PDFs of notes on the desk and get LaTeX that compiles.',
    },
  ];
}

export default function Convert() {
  return (
    <QueryClientProvider client={queryClient}>
      <ConvertScreen />
    </QueryClientProvider>
  );
}
