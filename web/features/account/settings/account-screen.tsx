import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { getIdentityConfig } from '#web/lib/session/identity-config.ts';
import { onSessionEvent } from '#web/lib/session/session-store.ts';
import { useSession } from '#web/lib/session/use-session.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Loading } from '#web/ui/controls/loading.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { LogInPage } from '#web/ui/pages/log-in-page.tsx';
import { sendReset } from '../dialog/auth-calls.ts';
import { describeAuthFailure } from '../dialog/auth-messages.ts';
import {
  type Account,
  beginTwoFactor,
  changeEmail,
  changePassword,
  finishTwoFactor,
  loadAccount,
  type Outcome,
  removeFactor,
} from './account-calls.ts';
import { DataSection } from './data-section.tsx';
import { keepGood } from './keep-good.ts';
import { PasswordSection } from './password-section.tsx';
import { PreambleSection } from './preamble/preamble-section.tsx';
import { ProfileSection } from './profile-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import { TwoFactorSection } from './two-factor/two-factor-section.tsx';

interface AccountScreenProps {
  /** The account has been deleted; the page should be left. */
  onDeleted: () => void;
}

/** The account page. It shows the signed-in user's own data; a visitor is asked to log in. */
export function AccountScreen({ onDeleted }: AccountScreenProps) {
  const { state, user } = useSession();
  if (state === 'loading') return <Loading isPage />;
  if (state !== 'signed-in' || !user)
    return (
      <LogInPage
        title="Log in to see your account"
        text="Your address, password, devices and data are shown here once you log in."
      />
    );
  return (
    <div className="mx-auto max-w-2xl px-4 py-10 sm:px-6 sm:py-14">
      {/* the key resets all state when another user signs in */}
      <SignedIn key={user.id} userId={user.id} onDeleted={onDeleted} />
    </div>
  );
}

const titleClass = 'font-serif text-3xl leading-tight font-medium tracking-tight sm:text-4xl';

function SignedIn({ userId, onDeleted }: { userId: string; onDeleted: () => void }) {
  const query = useQuery({
    queryKey: ['account', userId],
    queryFn: loadAccount,
    // the last good data stays when a refetch fails
    structuralSharing: keepGood,
    staleTime: 0,
    // an address may have been confirmed in another tab
    refetchOnWindowFocus: true,
  });
  const queries = useQueryClient();
  const reload = useCallback(
    // the devices too: most changes sign some out
    () => queries.invalidateQueries({ queryKey: ['account', userId] }),
    [queries, userId],
  );
  useEffect(
    () =>
      onSessionEvent((event) => {
        if (event === 'USER_UPDATED') void reload();
      }),
    [reload],
  );

  return (
    <>
      <h1 className={titleClass}>Account</h1>
      {query.data === undefined ? (
        <Loading />
      ) : query.data.ok ? (
        <Sections account={query.data.data} onChanged={reload} onDeleted={onDeleted} />
      ) : (
        <Notice
          tone="error"
          className="mt-6"
          title={describeAuthFailure(query.data.failure)}
          actions={<Button onClick={() => void reload()}>Try again</Button>}
        >
          Nothing in your account has changed; only this page could not be shown.
        </Notice>
      )}
    </>
  );
}

interface SectionsProps {
  account: Account;
  onChanged: () => Promise<void>;
  onDeleted: () => void;
}

function Sections({ account, onChanged, onDeleted }: SectionsProps) {
  const supportEmail = useSupportEmail();
  const thenReload = async (work: Promise<Outcome>): Promise<Outcome> => {
    const outcome = await work;
    await onChanged();
    return outcome;
  };
  return (
    <div className="mt-8">
      <ProfileSection account={account} onChangeEmail={(email) => thenReload(changeEmail(email))} />
      <PasswordSection
        account={account}
        onChange={(passwords) => thenReload(changePassword({ email: account.email, ...passwords }))}
        onSendReset={() => sendReset(account.email)}
      />
      <TwoFactorSection
        userId={account.id}
        factors={account.factors}
        supportEmail={supportEmail}
        onBegin={beginTwoFactor}
        onFinish={(factorId, code) => thenReload(finishTwoFactor(factorId, code))}
        onRemove={(factorId) => thenReload(removeFactor(factorId))}
      />
      <PreambleSection userId={account.id} />
      <SessionsSection userId={account.id} />
      <DataSection account={account} onDeleted={onDeleted} />
    </div>
  );
}

function useSupportEmail(): string | null {
  const [supportEmail, setSupportEmail] = useState<string | null>(null);
  useEffect(() => {
    getIdentityConfig().then(
      (config) => setSupportEmail(config.supportEmail),
      () => undefined,
    );
  }, []);
  return supportEmail;
}
