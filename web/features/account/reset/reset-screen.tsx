/**
 * /reset-password: the target of the link in a password mail. Its token is used here and signs in
 * (PASSWORD_RECOVERY); then the user chooses a new password. Without a token, or with one that has been used or
 * has expired, a new mail can be requested.
 */
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { measurePassword, minPasswordLength } from '#web/lib/password.ts';
import { getClient } from '#web/lib/session/get-client.ts';
import { getSessionState } from '#web/lib/session/session-store.ts';
import { useSession } from '#web/lib/session/use-session.ts';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { Loading } from '#web/ui/controls/loading.tsx';
import { PasswordField } from '#web/ui/controls/text-field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { MessagePage } from '#web/ui/pages/message-page.tsx';
import { type AuthFailure, describeAuthFailure } from '../dialog/auth-messages.ts';
import { CodeForm } from '../dialog/code-form.tsx';
import { PasswordStrength } from '../dialog/password-strength.tsx';
import { ResetForm } from '../dialog/reset-form.tsx';
import { useFields } from '../use-fields.ts';

/** Remembers in this tab whose recovery is in progress, so that a reload does not lose it with the token. */
const recoveryKey = 'inkproof.recovery';

type Step =
  | { kind: 'checking' }
  /** `email`: the account whose password is to be set. */
  | { kind: 'choose'; email: string }
  | { kind: 'ask'; isSpent: boolean }
  | { kind: 'done' }
  | { kind: 'failed'; message: string };

export function ResetScreen() {
  const [step, setStep] = useState<Step>({ kind: 'checking' });
  const hasBegun = useRef(false);
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    void begin().then(setStep);
  }, []);

  switch (step.kind) {
    case 'checking':
      return <Loading isPage label="Checking your link" />;
    case 'ask':
      return <AskForMail isSpent={step.isSpent} />;
    case 'choose':
      return <ChoosePassword email={step.email} onDone={() => setStep({ kind: 'done' })} />;
    case 'done':
      return <Done />;
    case 'failed':
      return (
        <MessagePage takesFocus title="Your link could not be checked">
          <p role="alert">{step.message}</p>
          <Button variant="primary" onClick={() => location.reload()}>
            Try again
          </Button>
        </MessagePage>
      );
  }
}

async function begin(): Promise<Step> {
  const query = new URLSearchParams(location.search);
  const tokenHash = query.get('token_hash');
  try {
    if (tokenHash) {
      const client = await getClient();
      const { data, error } = await client.auth.verifyOtp({ token_hash: tokenHash, type: 'recovery' });
      if (error) {
        if (error.name === 'AuthRetryableFetchError' || error.code === 'user_banned' || error.status === 429)
          return { kind: 'failed', message: describeAuthFailure(error) };
        return { kind: 'ask', isSpent: true };
      }
      return choose(data.user?.id, data.user?.email);
    }
    if (query.has('code')) {
      const client = await getClient();
      const { error } = await client.auth.initialize();
      const { data } = await client.auth.getSession();
      if (error || !data.session) return { kind: 'ask', isSpent: true };
      return choose(data.session.user.id, data.session.user.email);
    }
  } catch (cause) {
    const failure = cause instanceof Error ? cause : new Error(String(cause));
    return { kind: 'failed', message: describeAuthFailure({ message: failure.message, name: failure.name }) };
  }
  const { user } = getSessionState();
  if (user && user.id === sessionStorage.getItem(recoveryKey)) return { kind: 'choose', email: user.email };
  return { kind: 'ask', isSpent: location.hash.includes('error') };
}

function choose(userId: string | undefined, email: string | undefined): Step {
  sessionStorage.setItem(recoveryKey, userId ?? '');
  history.replaceState(history.state, '', location.pathname);
  return { kind: 'choose', email: email ?? '' };
}

function AskForMail({ isSpent }: { isSpent: boolean }) {
  const [email, setEmail] = useState('');
  return (
    <MessagePage
      takesFocus
      title={isSpent ? 'This link has been used or has expired' : 'Reset your password'}
    >
      <p>
        {isSpent
          ? 'A link works once and expires after an hour. We can send you a new one.'
          : 'We’ll send a link to your address. It opens this page again, where you choose a new password.'}
      </p>
      <div className="w-full max-w-sm text-ink">
        <ResetForm email={email} onEmail={setEmail} />
      </div>
    </MessagePage>
  );
}

function ChoosePassword({ email, onDone }: { email: string; onDone: () => void }) {
  const { needsCode } = useSession();
  const { values, field, error, setError } = useFields({ 'new-password': '', 'new-password-again': '' });
  const password = values['new-password'];
  const [isBusy, setIsBusy] = useState(false);

  // changing the password needs the account's authenticator too
  if (needsCode)
    return (
      <MessagePage takesFocus title="Your code">
        <p>
          Enter the six digits that your authenticator app shows for Inkproof. Then choose a new password.
        </p>
        <div className="w-full max-w-sm text-ink">
          <CodeForm submitLabel="Continue" onDone={() => undefined} />
        </div>
      </MessagePage>
    );

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault();
    if (measurePassword(password) === 0)
      return setError({
        field: 'new-password',
        text: `Password should be at least ${minPasswordLength} characters.`,
      });
    if (password !== values['new-password-again'])
      return setError({ field: 'new-password-again', text: 'The passwords don’t match.' });
    setError(null);
    setIsBusy(true);
    const failure = await changePassword(email, password);
    setIsBusy(false);
    if (!failure) {
      sessionStorage.removeItem(recoveryKey);
      return onDone();
    }
    if (failure.code === 'reauthentication_needed')
      return setError({
        field: 'form',
        text: 'Your link was opened more than ten minutes ago. Reopen this page to request another.',
      });
    const isWrong = failure.code === 'weak_password' || failure.code === 'same_password';
    setError({ field: isWrong ? 'new-password' : 'form', text: describeAuthFailure(failure) });
  };

  return (
    <MessagePage takesFocus title="Choose a new password">
      {email && (
        <p className="break-words">
          For {email}. You stay signed in here and are logged out everywhere else.
        </p>
      )}
      <form onSubmit={handleSubmit} noValidate className="grid w-full max-w-sm gap-5 text-ink">
        {error?.field === 'form' && <Notice tone="error" title={error.text} />}
        {/* tells password managers which account the password is for */}
        <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label="New password"
          autoComplete="new-password"
          hint={<PasswordStrength password={password} />}
          {...field('new-password')}
        />
        <PasswordField
          label="New password again"
          autoComplete="new-password"
          {...field('new-password-again')}
        />
        <Button type="submit" variant="primary" className="h-11" isBusy={isBusy}>
          Save the new password
        </Button>
      </form>
    </MessagePage>
  );
}

/** Sets the password. If the backend ends all sessions with it, including this one, logs in again. */
async function changePassword(email: string, password: string): Promise<AuthFailure | null> {
  try {
    const client = await getClient();
    const { error } = await client.auth.updateUser({ password });
    if (error) return error;
    const { error: ended } = await client.auth.getUser();
    return ended ? (await client.auth.signInWithPassword({ email, password })).error : null;
  } catch (cause) {
    const failure = cause instanceof Error ? cause : new Error(String(cause));
    return { message: failure.message, name: failure.name };
  }
}

function Done() {
  return (
    <MessagePage takesFocus title="Your new password is saved">
      <p role="status">You are signed in.</p>
      <Link to="/convert" className={buttonClass({ variant: 'primary', size: 'large' })}>
        Start converting
      </Link>
    </MessagePage>
  );
}
