import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { refuseSignUp } from '#shared/sign-up-rules.ts';
import { minPasswordLength } from '#web/lib/password.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { PasswordField, TextField } from '#web/ui/controls/text-field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { leaveForGoogle, resendConfirmation, signIn, signUp } from './auth-calls.ts';
import {
  type AuthFailure,
  describeAuthFailure,
  fieldOfFailure,
  missingCredentials,
} from './auth-messages.ts';
import { checkAddress } from './check-address.ts';
import { GoogleButton } from './google-button.tsx';
import { PasswordStrength } from './password-strength.tsx';

interface CredentialsFormProps {
  mode: 'login' | 'signup';
  hasGoogle: boolean;
  email: string;
  onEmail: (email: string) => void;
  /** Why the dialog opened by itself. */
  message: string | null;
  /** A sign-in elsewhere that failed. */
  failure: AuthFailure | null;
  /** The dialog returned to this form from another, so the focus has to be set again. */
  isReturn: boolean;
  onMode: (mode: 'login' | 'signup' | 'reset') => void;
  onSignedIn: () => void;
  onNeedsCode: () => void;
  onMailed: () => void;
}

interface Errors {
  email?: string;
  password?: string;
  form?: string;
}

/** Log in and sign up: Google if enabled, and e-mail address with password. */
export function CredentialsForm(props: CredentialsFormProps) {
  const { mode, email, onEmail, onMode } = props;
  const isSignUp = mode === 'signup';
  const [password, setPassword] = useState('');
  const [errors, setErrors] = useState<Errors>(
    props.failure ? { form: describeAuthFailure(props.failure) } : {},
  );
  const [isUnconfirmed, setIsUnconfirmed] = useState(false);
  const [hasResent, setHasResent] = useState(false);
  const [busyWith, setBusyWith] = useState<'form' | 'google' | 'resend' | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const addressCheck = useRef<AbortController | null>(null);
  useEffect(() => () => addressCheck.current?.abort(), []);

  const handleBlur = async () => {
    if (!isSignUp || email.trim() === '') return;
    const refusal = refuseSignUp(email.trim());
    if (refusal) return setErrors((known) => ({ ...known, email: refusal }));
    addressCheck.current?.abort();
    const check = new AbortController();
    addressCheck.current = check;
    const verdict = await checkAddress(email.trim(), check.signal);
    if (verdict && !check.signal.aborted) setErrors((known) => ({ ...known, email: verdict }));
  };

  const fail = (failure: AuthFailure) => {
    setErrors({ [fieldOfFailure(failure)]: describeAuthFailure(failure) });
    setIsUnconfirmed(failure.code === 'email_not_confirmed');
    setHasResent(false);
  };

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const address = email.trim();
    const found = findErrors(address, password, isSignUp);
    setErrors(found);
    setIsUnconfirmed(false);
    setHasResent(false);
    if (Object.keys(found).length > 0) {
      const name = found.email ? 'email' : 'password';
      form.current?.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.focus();
      return;
    }
    setBusyWith('form');
    const outcome = await (isSignUp ? signUp : signIn)({ email: address, password });
    setBusyWith(null);
    switch (outcome.kind) {
      case 'signed-in':
        return props.onSignedIn();
      case 'needs-code':
        return props.onNeedsCode();
      case 'mailed':
        return props.onMailed();
      case 'failed':
        return fail(outcome.failure);
    }
  };

  const handleGoogle = async () => {
    setBusyWith('google');
    const failure = await leaveForGoogle();
    if (!failure) return;
    setBusyWith(null);
    fail(failure);
  };

  const handleResend = async () => {
    setBusyWith('resend');
    const failure = await resendConfirmation(email.trim());
    setBusyWith(null);
    if (failure) return setErrors({ form: describeAuthFailure(failure) });
    setHasResent(true);
  };

  return (
    <form ref={form} onSubmit={handleSubmit} noValidate className="grid gap-5">
      {errors.form ? (
        <Notice
          tone="error"
          title={errors.form}
          actions={
            isUnconfirmed && (
              <Button size="small" isBusy={busyWith === 'resend'} disabled={hasResent} onClick={handleResend}>
                {hasResent ? 'Sent. Check your inbox.' : 'Resend the confirmation e-mail'}
              </Button>
            )
          }
        />
      ) : (
        props.message && <Notice tone="info" title={props.message} />
      )}
      {props.hasGoogle && (
        <GoogleButton isBusy={busyWith === 'google'} isDisabled={busyWith !== null} onClick={handleGoogle} />
      )}
      <div className="grid gap-4">
        <TextField
          label="E-mail"
          type="email"
          name="email"
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus={props.isReturn}
          data-first-focus
          value={email}
          error={errors.email ?? null}
          onBlur={handleBlur}
          onChange={(event) => {
            addressCheck.current?.abort();
            onEmail(event.target.value);
            setErrors(({ password: remaining }) => (remaining ? { password: remaining } : {}));
          }}
        />
        <PasswordField
          key={mode}
          label="Password"
          name="password"
          autoComplete={isSignUp ? 'new-password' : 'current-password'}
          value={password}
          error={errors.password ?? null}
          hint={isSignUp ? <PasswordStrength password={password} /> : undefined}
          onChange={(event) => {
            setPassword(event.target.value);
            setErrors(({ email: remaining }) => (remaining ? { email: remaining } : {}));
          }}
          aside={
            !isSignUp && (
              <Button
                variant="quiet"
                size="small"
                className="-mr-3 min-h-6 font-normal text-graphite underline decoration-edge underline-offset-4 hover:text-ink"
                onClick={() => onMode('reset')}
              >
                Forgot your password?
              </Button>
            )
          }
        />
      </div>
      <Button
        type="submit"
        variant="primary"
        className="h-11 w-full"
        isBusy={busyWith === 'form'}
        disabled={busyWith !== null}
      >
        {isSignUp ? 'Sign Up' : 'Log In'}
      </Button>
      {isSignUp && (
        <p className="text-[0.8125rem] leading-snug text-graphite">
          By signing up you agree to the <PageLink to="/terms">Terms of Service</PageLink> and the{' '}
          <PageLink to="/privacy">Privacy Policy</PageLink>, and you are 18 or older.
        </p>
      )}
      <p className="-mx-6 -mb-6 flex items-center justify-center gap-0.5 border-t border-hairline py-3 text-sm text-graphite sm:-mx-8 sm:-mb-8">
        {isSignUp ? 'Already have an account?' : 'No account yet?'}
        <Button
          variant="link"
          size="text"
          disabled={busyWith !== null}
          onClick={() => {
            setErrors({});
            setIsUnconfirmed(false);
            onMode(isSignUp ? 'login' : 'signup');
          }}
        >
          {isSignUp ? 'Log In' : 'Sign Up'}
        </Button>
      </p>
    </form>
  );
}

/** Errors that can be found without the server. */
function findErrors(address: string, password: string, isSignUp: boolean): Errors {
  if (address === '') return { email: missingCredentials };
  if (password === '') return { password: missingCredentials };
  if (!isSignUp) return {};
  const refusal = refuseSignUp(address);
  if (refusal) return { email: refusal };
  if ([...password].length < minPasswordLength)
    return { password: `Password should be at least ${minPasswordLength} characters.` };
  return {};
}

/** Links to one of our pages in a new tab, so that the form keeps its input. */
function PageLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link to={to} target="_blank" className="underline underline-offset-4 hover:text-ink">
      {children}
    </Link>
  );
}
