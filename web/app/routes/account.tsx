import { QueryClientProvider } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { AccountScreen } from '#web/features/account/settings/account-screen.tsx';
import { queryClient } from '#web/lib/api/query-client.ts';
import { endSession, signOut } from '#web/lib/session/sign-out.ts';
import { arriveWith } from '../arrival-notice.tsx';

export function meta() {
  return [{ title: 'Account · Inkproof' }, { name: 'robots', content: 'noindex' }];
}

export default function AccountRoute() {
  const navigate = useNavigate();
  const handleDeleted = async () => {
    // the tokens first: no call may carry one of a deleted account
    await endSession();
    await signOut();
    queryClient.clear();
    await navigate('/', { replace: true, state: arriveWith('account-deleted') });
  };
  return (
    <QueryClientProvider client={queryClient}>
      <AccountScreen onDeleted={() => void handleDeleted()} />
    </QueryClientProvider>
  );
}
