/**
 * /auth/confirm: the target of the links in confirmation mails. The token in the address is used by a script and not
 * by the link alone, so that a mail scanner that follows links does not use it up. Shows the outcome, and a way
 * forward if the link has been used or has expired.
 */
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { openAuthDialog } from '#web/lib/auth-dialog.ts';
import { getClient } from '#web/lib/session/get-client.ts';
import { useSession } from '#web/lib/session/use-session.ts';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { Loading } from '#web/ui/controls/loading.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { MessagePage } from '#web/ui/pages/message-page.tsx';
import { resendConfirmation } from '../dialog/auth-calls.ts';
import { describeAuthFailure } from '../dialog/auth-messages.ts';
import { useFields } from '../use-fields.ts';

type LinkKind = 'signup' | 'email_change';

type Outcome =
  | { kind: 'checking' }
  | { kind: 'confirmed'; isSignedIn: boolean }
  /** The address was changed; `email` is the new one. */
  | { kind: 'changed'; email: string }
  /** One of the two links of an address change was followed: the other mail has one too. */
  | { kind: 'half-changed' }
  | { kind: 'spent'; link: LinkKind }
  | { kind: 'failed'; message: string };

export function ConfirmScreen() {
  const [outcome, setOutcome] = useState<Outcome>({ kind: 'checking' });
  const hasBegun = useRef(false);
  useEffect(() => {
    if (hasBegun.current) return;
    hasBegun.current = true;
    void confirm().then(setOutcome);
  }, []);

  switch (outcome.kind) {
    case 'checking':
      return <Loading isPage label="Confirming your address" />;
    case 'confirmed':
      return <Confirmed isSignedIn={outcome.isSignedIn} />;
    case 'changed':
      return (
        <MessagePage takesFocus title="Your address has been changed">
          <p>From now on you log in with {outcome.email}.</p>
          <Start />
        </MessagePage>
      );
    case 'half-changed':
      return (
        <MessagePage takesFocus title="One more click">
          <p>This address is confirmed. Now open the link in the e-mail to your other address.</p>
        </MessagePage>
      );
    case 'spent':
      return outcome.link === 'signup' ? <SpentSignUp /> : <SpentChange />;
    case 'failed':
      return (
        <MessagePage takesFocus title="Your address could not be confirmed">
          <p role="alert">{outcome.message}</p>
          <Button variant="primary" onClick={() => location.reload()}>
            Try again
          </Button>
        </MessagePage>
      );
  }
}

/** Uses the address's token, or the code that a backend elsewhere appends after its own confirmation page. */
async function confirm(): Promise<Outcome> {
  const query = new URLSearchParams(location.search);
  const fragment = new URLSearchParams(location.hash.slice(1));
  const tokenHash = query.get('token_hash');
  const link: LinkKind = query.get('type') === 'email_change' ? 'email_change' : 'signup';
  if (fragment.get('message')) return { kind: 'half-changed' };
  if (!tokenHash && !query.has('code')) return { kind: 'spent', link };
  try {
    const client = await getClient();
    if (!tokenHash) {
      const { error } = await client.auth.initialize();
      // the code only works in the browser that requested it; the address is confirmed in any case
      return { kind: 'confirmed', isSignedIn: error === null };
    }
    const { data, error } = await client.auth.verifyOtp({ token_hash: tokenHash, type: link });
    if (error) {
      const isSpent = error.code === 'otp_expired' || error.status === 403 || error.status === 404;
      if (isSpent && error.code !== 'user_banned') return { kind: 'spent', link };
      return { kind: 'failed', message: describeAuthFailure(error) };
    }
    history.replaceState(history.state, '', location.pathname);
    if (link === 'signup') return { kind: 'confirmed', isSignedIn: data.session !== null };
    return data.user?.email && data.session
      ? { kind: 'changed', email: data.user.email }
      : { kind: 'half-changed' };
  } catch (cause) {
    const failure = cause instanceof Error ? cause : new Error(String(cause));
    return { kind: 'failed', message: describeAuthFailure({ message: failure.message, name: failure.name }) };
  }
}

function Confirmed({ isSignedIn }: { isSignedIn: boolean }) {
  return (
    <MessagePage takesFocus title="Your address is confirmed">
      <p>{isSignedIn ? 'You are signed in. Add your notes to get started.' : 'You can log in now.'}</p>
      {isSignedIn ? (
        <Start />
      ) : (
        <Button variant="primary" size="large" onClick={() => openAuthDialog('login')}>
          Login
        </Button>
      )}
    </MessagePage>
  );
}

/** The link has been used or has expired. A signed-in user needs nothing more. */
function SpentSignUp() {
  const { state } = useSession();
  if (state === 'signed-in') return <Confirmed isSignedIn />;
  return (
    <MessagePage takesFocus title="This link has been used or has expired">
      <p>
        If you have confirmed your address already, just{' '}
        <TextButton onClick={() => openAuthDialog('login')}>log in</TextButton>. If not, we can send you a new
        link.
      </p>
      <ResendForm />
    </MessagePage>
  );
}

function SpentChange() {
  return (
    <MessagePage takesFocus title="This link has been used or has expired">
      <p>Your address has not changed. You can ask for the change again on your account page.</p>
      <Link to="/account" className={buttonClass({ variant: 'primary', size: 'large' })}>
        Account
      </Link>
    </MessagePage>
  );
}

function ResendForm() {
  const { values, field, setError } = useFields({ email: '' });
  const [isBusy, setIsBusy] = useState(false);
  const [hasSent, setHasSent] = useState(false);

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const refuse = (text: string) => setError({ field: 'email', text });
    const email = values.email.trim();
    if (email === '') return refuse('Enter the e-mail address you signed up with.');
    setIsBusy(true);
    const failure = await resendConfirmation(email);
    setIsBusy(false);
    if (failure) return refuse(describeAuthFailure(failure));
    setHasSent(true);
  };

  if (hasSent)
    return (
      <p role="status" className="font-medium text-ink">
        Please check your email to confirm your account.
      </p>
    );
  return (
    <form onSubmit={handleSubmit} noValidate className="grid w-full max-w-sm gap-4 text-ink">
      <TextField label="E-mail" type="email" autoComplete="username" {...field('email')} />
      <Button type="submit" variant="primary" className="h-11" isBusy={isBusy}>
        Send a new link
      </Button>
    </form>
  );
}

function Start() {
  return (
    <Link to="/convert" className={buttonClass({ variant: 'primary', size: 'large' })}>
      Start converting
    </Link>
  );
}

function TextButton({ onClick, children }: { onClick: () => void; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={onClick}
      className="font-medium text-ink underline decoration-edge underline-offset-4 hover:decoration-ink"
    >
      {children}
    </button>
  );
}
