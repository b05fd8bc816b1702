import { type FormEvent, useState } from 'react';
import { describeError } from '#web/lib/api/describe-error.ts';
import { getAccessToken } from '#web/lib/session/get-client.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { PasswordField, TextField } from '#web/ui/controls/text-field.tsx';
import { Dialog } from '#web/ui/dialogs/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { leaveForGoogle } from '../dialog/auth-calls.ts';
import { type AuthFailure, describeAuthFailure } from '../dialog/auth-messages.ts';
import { type FieldError, useFields } from '../use-fields.ts';
import { deleteAccount } from './account-api.ts';
import { type Account, proveIdentity } from './account-calls.ts';
import { noteDeletionIntent } from './deletion-intent.ts';

interface DeleteAccountDialogProps {
  account: Account;
  isOpen: boolean;
  /** The user has just signed in again (with Google). */
  isProven: boolean;
  onClose: () => void;
  onDeleted: () => void;
}

/** Says what is deleted and what is kept, and asks for confirmation and proof of identity. */
export function DeleteAccountDialog(props: DeleteAccountDialogProps) {
  return (
    <Dialog
      isOpen={props.isOpen}
      title="Delete your account"
      description="This cannot be undone."
      onClose={props.onClose}
    >
      <Consequences />
      {props.account.hasPassword || props.isProven ? <DeleteForm {...props} /> : <AskGoogle {...props} />}
    </Dialog>
  );
}

function Consequences() {
  return (
    <div className="grid gap-4 text-sm">
      <div>
        <h3 className="font-medium">What is deleted</h3>
        <p className="mt-0.5 text-graphite">
          Your documents, files and conversions, your unused credits, your address and ways to log in. Every
          device is signed out.
        </p>
      </div>
      <div>
        <h3 className="font-medium">What is kept, and why</h3>
        <p className="mt-0.5 text-graphite">
          Purchases and credit usage, no longer linked to you: accounting law requires us to keep them for a
          statutory period. And a fingerprint of your mailbox, from which your address cannot be read, so that
          free credits are given only once.
        </p>
      </div>
    </div>
  );
}

type FieldName = 'confirm' | 'password' | 'code';

function DeleteForm({ account, onClose, onDeleted }: DeleteAccountDialogProps) {
  const { values, field, error, setError } = useFields<FieldName>({ confirm: '', password: '', code: '' });
  const [isBusy, setIsBusy] = useState(false);
  const needsCode = account.hasPassword && account.factors.length > 0;

  /** Returns the token of a fresh session, and a function that ends it if the deletion fails. */
  const prove = async (code: string) => {
    if (account.hasPassword)
      return proveIdentity({
        email: account.email,
        password: values.password,
        code: needsCode ? code : undefined,
      });
    const accessToken = await getAccessToken();
    return { ok: true, data: { accessToken: accessToken ?? '', leave: async () => {} } } as const;
  };

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const code = values.code.replace(/\s/g, '');
    if (values.confirm.trim().toLowerCase() !== account.email.toLowerCase())
      return setError({ field: 'confirm', text: `This is not the address of this account.` });
    if (account.hasPassword && values.password === '')
      return setError({ field: 'password', text: 'Enter your password.' });
    if (needsCode && !/^\d{6}$/.test(code))
      return setError({ field: 'code', text: 'The code has six digits.' });
    setIsBusy(true);
    const proof = await prove(code);
    if (!proof.ok) {
      setIsBusy(false);
      return setError(explain(proof.failure));
    }
    const deleted = await deleteAccount(proof.data.accessToken, values.confirm.trim());
    if (!deleted.ok) await proof.data.leave();
    setIsBusy(false);
    if (!deleted.ok) return setError({ field: 'form', text: describeError(deleted.error) });
    onDeleted();
  };

  return (
    <form onSubmit={handleSubmit} noValidate className="mt-6 grid gap-5">
      <TextField
        label={`To confirm, type ${account.email}`}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="email"
        {...field('confirm')}
      />
      {account.hasPassword && (
        <PasswordField label="Password" autoComplete="current-password" {...field('password')} />
      )}
      {needsCode && (
        <TextField
          label="Code from your authenticator app"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          inputClassName="font-mono text-lg tracking-[0.3em]"
          {...field('code')}
        />
      )}
      {error?.field === 'form' && <Notice tone="error" title={error.text} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose} disabled={isBusy}>
          Keep my account
        </Button>
        <Button type="submit" variant="danger" isBusy={isBusy}>
          Delete account
        </Button>
      </div>
    </form>
  );
}

function explain(failure: AuthFailure): FieldError<FieldName> {
  if (failure.code === 'invalid_credentials')
    return { field: 'password', text: 'This password is incorrect.' };
  if (failure.code === 'mfa_verification_failed')
    return { field: 'code', text: 'This code is incorrect. Wait for the next one.' };
  return { field: 'form', text: describeAuthFailure(failure) };
}

/** An account without a password proves its identity by signing in with Google. */
function AskGoogle({ onClose }: DeleteAccountDialogProps) {
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const handleClick = async () => {
    setIsBusy(true);
    noteDeletionIntent();
    const failure = await leaveForGoogle();
    if (!failure) return;
    setIsBusy(false);
    setError(describeAuthFailure(failure));
  };
  return (
    <div className="mt-6 grid gap-4">
      <p className="text-sm">
        Sign in with Google again first, to confirm that it’s you. You will return to this page.
      </p>
      {error && <Notice tone="error" title={error} />}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={onClose} disabled={isBusy}>
          Keep my account
        </Button>
        <Button variant="primary" isBusy={isBusy} onClick={() => void handleClick()}>
          Continue with Google
        </Button>
      </div>
    </div>
  );
}
