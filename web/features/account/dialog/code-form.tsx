import { type FormEvent, useEffect, useState } from 'react';
import { getIdentityConfig } from '#web/lib/session/identity-config.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { verifyCode } from './auth-calls.ts';
import { describeAuthFailure } from './auth-messages.ts';

/** The kinds of codes: their texts, and their pattern without spaces and hyphens. */
const kinds = {
  app: {
    label: 'Code',
    pattern: /^\d{6}$/,
    malformed: 'The code has six digits.',
    wrong: 'This code is incorrect. Wait for the next one.',
    other: 'Use a recovery code',
  },
  recovery: {
    label: 'Recovery code',
    pattern: /^[0-9a-z]{16}$/i,
    malformed: 'A recovery code has 16 letters and digits.',
    wrong: 'This recovery code is incorrect or has already been used.',
    other: 'Use a code from your app',
  },
} as const;

/** The second step of a login: the authenticator's six digits, or a recovery code if the phone is lost. */
export function CodeForm({ submitLabel = 'Log In', onDone }: { submitLabel?: string; onDone: () => void }) {
  const [kind, setKind] = useState<keyof typeof kinds>('app');
  const [code, setCode] = useState('');
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const hasRecoveryCodes = useHasRecoveryCodes();
  const { label, pattern, malformed, wrong, other } = kinds[kind];

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const plain = code.replace(/[\s-]/g, '');
    if (!pattern.test(plain)) return setError(malformed);
    setIsBusy(true);
    const failure = await verifyCode(plain);
    setIsBusy(false);
    if (failure) {
      setCode('');
      return setError(failure.code === 'mfa_verification_failed' ? wrong : describeAuthFailure(failure));
    }
    onDone();
  };

  return (
    <form onSubmit={handleSubmit} noValidate className="grid gap-5">
      <TextField
        key={kind}
        label={label}
        name="code"
        value={code}
        onChange={(event) => {
          setCode(event.target.value);
          setError(null);
        }}
        error={error}
        {...(kind === 'app'
          ? { inputMode: 'numeric', autoComplete: 'one-time-code', maxLength: 7 }
          : {
              autoComplete: 'off',
              autoCapitalize: 'none',
              spellCheck: false,
              maxLength: 24,
              hint: 'One of the codes you saved when you set up two-factor.',
            })}
        autoFocus
        inputClassName={kind === 'app' ? 'font-mono text-lg tracking-[0.3em]' : 'font-mono'}
      />
      <Button type="submit" variant="primary" className="h-11 w-full" isBusy={isBusy}>
        {submitLabel}
      </Button>
      {hasRecoveryCodes && (
        <p className="text-center text-sm">
          <Button
            variant="quiet"
            size="small"
            onClick={() => {
              setKind(kind === 'app' ? 'recovery' : 'app');
              setCode('');
              setError(null);
            }}
          >
            {other}
          </Button>
        </p>
      )}
    </form>
  );
}

function useHasRecoveryCodes(): boolean {
  const [isOwn, setIsOwn] = useState(false);
  useEffect(() => {
    getIdentityConfig().then(
      (config) => setIsOwn(config.isOwn),
      () => undefined,
    );
  }, []);
  return isOwn;
}
