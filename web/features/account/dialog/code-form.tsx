import { type FormEvent, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { verifyCode } from './auth-calls.ts';
import { describeAuthFailure } from './auth-messages.ts';

/** The second step of a login: the authenticator's six digits. */
export function CodeForm({ submitLabel = 'Log In', onDone }: { submitLabel?: string; onDone: () => void }) {
  const [code, setCode] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const digits = code.replace(/\s/g, '');
    if (!/^\d{6}$/.test(digits)) return setError('The code has six digits.');
    setIsBusy(true);
    const failure = await verifyCode(digits);
    setIsBusy(false);
    if (failure) {
      setCode('');
      return setError(describeAuthFailure(failure));
    }
    onDone();
  };

  return (
    <form onSubmit={handleSubmit} noValidate className="grid gap-5">
      <TextField
        label="Code"
        name="code"
        value={code}
        onChange={(event) => {
          setCode(event.target.value);
          setError(null);
        }}
        error={error}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        autoFocus
        inputClassName="font-mono text-lg tracking-[0.3em]"
      />
      <Button type="submit" variant="primary" className="h-11 w-full" isBusy={isBusy}>
        {submitLabel}
      </Button>
    </form>
  );
}
