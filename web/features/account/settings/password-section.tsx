import { type FormEvent, useState } from 'react';
import { minPasswordLength } from '#web/lib/password.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { PasswordField } from '#web/ui/controls/text-field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Section } from '#web/ui/section.tsx';
import { type AuthFailure, describeAuthFailure } from '../dialog/auth-messages.ts';
import { PasswordStrength } from '../dialog/password-strength.tsx';
import { type FieldError, useFields } from '../use-fields.ts';
import type { Account, Outcome } from './account-calls.ts';
import { FormButtons, SettingRow } from './setting-row.tsx';

interface PasswordSectionProps {
  account: Account;
  onChange: (options: { current: string; next: string }) => Promise<Outcome>;
  onSendReset: () => Promise<AuthFailure | null>;
}

export function PasswordSection({ account, onChange, onSendReset }: PasswordSectionProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [hasChanged, setHasChanged] = useState(false);
  return (
    <Section title="Password">
      {account.hasPassword ? (
        <>
          <SettingRow
            value="Changing it signs out all other devices."
            action="Change password"
            isOpen={isOpen}
            onOpen={() => {
              setIsOpen(true);
              setHasChanged(false);
            }}
            onClose={() => setIsOpen(false)}
          >
            <PasswordForm
              account={account}
              onSubmit={onChange}
              onSendReset={onSendReset}
              onDone={() => {
                setIsOpen(false);
                setHasChanged(true);
              }}
              onCancel={() => setIsOpen(false)}
            />
          </SettingRow>
          {hasChanged && (
            <Notice
              tone="info"
              title="Your password has been changed."
              onDismiss={() => setHasChanged(false)}
            >
              All other devices have been signed out.
            </Notice>
          )}
        </>
      ) : (
        <>
          <p className="max-w-[39em]">
            You log in with Google, so no password is needed. To log in with a password as well, set one:
            we’ll send a link to {account.email}.
          </p>
          <ResetButton label="Send the link" onSend={onSendReset} />
        </>
      )}
    </Section>
  );
}

interface PasswordFormProps {
  account: Account;
  onSubmit: PasswordSectionProps['onChange'];
  onSendReset: PasswordSectionProps['onSendReset'];
  onDone: () => void;
  onCancel: () => void;
}

type FieldName = 'current' | 'next' | 'again';

function PasswordForm({ account, onSubmit, onSendReset, onDone, onCancel }: PasswordFormProps) {
  const { values, field, error, setError } = useFields<FieldName>({ current: '', next: '', again: '' });
  const [isBusy, setIsBusy] = useState(false);

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const { current, next, again } = values;
    if (current === '') return setError({ field: 'current', text: 'Enter your current password.' });
    if ([...next].length < minPasswordLength)
      return setError({ field: 'next', text: `Use ${minPasswordLength} characters or more.` });
    if (next === current)
      return setError({ field: 'next', text: 'This is your current password. Choose a different one.' });
    if (next !== again) return setError({ field: 'again', text: 'The new passwords don’t match.' });
    setIsBusy(true);
    const outcome = await onSubmit({ current, next });
    setIsBusy(false);
    if (!outcome.ok) return setError(explain(outcome.failure));
    onDone();
  };

  return (
    <form onSubmit={handleSubmit} noValidate className="grid gap-5">
      {/* tells password managers which account the password is for */}
      <input
        type="email"
        name="username"
        autoComplete="username"
        value={account.email}
        readOnly
        hidden
        aria-label="Account"
      />
      <PasswordField label="Current password" autoComplete="current-password" {...field('current')} />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint={<PasswordStrength password={values.next} />}
        {...field('next')}
      />
      <PasswordField label="New password again" autoComplete="new-password" {...field('again')} />
      {error?.field === 'form' && <Notice tone="error" title={error.text} />}
      <FormButtons submit="Change password" isBusy={isBusy} onCancel={onCancel} />
      <div className="border-t border-hairline pt-4">
        <p className="text-[0.8125rem] text-graphite">
          Don’t know the current one? We can send a link to {account.email} that lets you choose a new one.
        </p>
        <div className="mt-2">
          <ResetButton label="Send the link" onSend={onSendReset} />
        </div>
      </div>
    </form>
  );
}

function explain(failure: AuthFailure): FieldError<FieldName> {
  if (failure.code === 'invalid_credentials')
    return { field: 'current', text: 'Your current password is incorrect.' };
  if (failure.code === 'weak_password' || failure.code === 'same_password')
    return { field: 'next', text: describeAuthFailure(failure) };
  if (failure.code === 'reauthentication_needed')
    return {
      field: 'form',
      text: 'You need to have logged in recently to do this. Log out and back in, or use a link by e-mail.',
    };
  return { field: 'form', text: describeAuthFailure(failure) };
}

/** Requests the mail with a link to set a new password. */
function ResetButton({ label, onSend }: { label: string; onSend: () => Promise<AuthFailure | null> }) {
  const [state, setState] = useState<'idle' | 'busy' | 'sent'>('idle');
  const [error, setError] = useState<string | null>(null);
  const handleClick = async () => {
    setState('busy');
    setError(null);
    const failure = await onSend();
    setState(failure ? 'idle' : 'sent');
    if (failure) setError(describeAuthFailure(failure));
  };
  return (
    <div className="grid justify-items-start gap-3">
      {state !== 'sent' && (
        <Button isBusy={state === 'busy'} onClick={handleClick}>
          {label}
        </Button>
      )}
      {state === 'sent' && <Notice tone="info" title="The e-mail is on its way. Check your inbox." />}
      {error && <Notice tone="error" title={error} />}
    </div>
  );
}
