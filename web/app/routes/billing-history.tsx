import { QueryClientProvider } from '@tanstack/react-query';
import { BillingHistoryScreen } from '#web/features/billing/history/billing-history-screen.tsx';
import { queryClient } from '#web/lib/api/query-client.ts';

export function meta() {
  return [{ title: 'Billing history · Inkproof' }, { name: 'robots', content: 'noindex' }];
}

export default function BillingHistoryRoute() {
  return (
    <QueryClientProvider client={queryClient}>
      <BillingHistoryScreen />
    </QueryClientProvider>
  );
}
