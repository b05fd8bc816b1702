import { type FormEvent, useState } from 'react';
import { Button } from '#web/ui/controls/button.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { sendReset } from './auth-calls.ts';
import { describeAuthFailure, resetSuccess } from './auth-messages.ts';

interface ResetFormProps {
  email: string;
  onEmail: (email: string) => void;
  /** In a dialog the field takes the focus. */
  isInDialog?: boolean;
  onLogin?: () => void;
}

/** Requests the mail with a link to set a new password. */
export function ResetForm({ email, onEmail, isInDialog, onLogin }: ResetFormProps) {
  const [error, setError] = useState<string | null>(null);
  const [hasSent, setHasSent] = useState(false);
  const [isBusy, setIsBusy] = useState(false);

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault();
    setHasSent(false);
    if (email.trim() === '') return setError('Enter the e-mail address of your account.');
    setIsBusy(true);
    setError(null);
    const failure = await sendReset(email.trim());
    setIsBusy(false);
    if (failure) return setError(describeAuthFailure(failure));
    setHasSent(true);
  };

  return (
    <form onSubmit={handleSubmit} noValidate className="grid gap-5">
      {hasSent && <Notice tone="info" title={resetSuccess} />}
      <TextField
        label="E-mail"
        type="email"
        name="email"
        autoComplete="username"
        autoFocus={isInDialog}
        data-first-focus
        value={email}
        error={error}
        onChange={(event) => {
          onEmail(event.target.value);
          setError(null);
        }}
      />
      <Button type="submit" variant="primary" className="h-11 w-full" isBusy={isBusy}>
        Send Password Reset Email
      </Button>
      {onLogin && (
        <p className="text-center text-sm text-graphite">
          <Button variant="quiet" size="small" onClick={onLogin}>
            Back to Log In
          </Button>
        </p>
      )}
    </form>
  );
}
