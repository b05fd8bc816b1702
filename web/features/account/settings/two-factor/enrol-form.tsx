import { Check, Copy } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useCopy } from '../../../../lib/hooks/use-copy.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { TextField } from '../../../../ui/controls/text-field.tsx';
import { describeAuthFailure } from '../../dialog/auth-messages.ts';
import { useFields } from '../../use-fields.ts';
import type { Enrolment, Outcome } from '../account-calls.ts';
import { FormButtons } from '../setting-row.tsx';
import { QrCode } from './qr-code.tsx';

interface EnrolFormProps {
  enrolment: Enrolment;
  onFinish: (factorId: string, code: string) => Promise<Outcome>;
  onDone: (factorId: string) => Promise<void>;
  onCancel: () => void;
}

/** Adds an authenticator app: scan or type the key, then confirm it with a code. */
export function EnrolForm({ enrolment, onFinish, onDone, onCancel }: EnrolFormProps) {
  const { values, field, setError } = useFields({ code: '' });
  const [isBusy, setIsBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.focus(), []);

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const refuse = (text: string) => setError({ field: 'code', text });
    const digits = values.code.replace(/\s/g, '');
    if (!/^\d{6}$/.test(digits)) return refuse('The code has six digits.');
    setIsBusy(true);
    const outcome = await onFinish(enrolment.factorId, digits);
    if (outcome.ok) return onDone(enrolment.factorId);
    setIsBusy(false);
    refuse(
      outcome.failure.code === 'mfa_verification_failed'
        ? 'This code is incorrect. Codes change every 30 seconds: wait for the next one, and make sure your phone sets its clock automatically.'
        : describeAuthFailure(outcome.failure),
    );
  };

  return (
    <form
      ref={form}
      tabIndex={-1}
      aria-label="Set up two-factor"
      onSubmit={handleSubmit}
      noValidate
      className="grid animate-settle gap-6 rounded-xl border border-hairline bg-page p-4 outline-none sm:p-5"
    >
      <div className="grid gap-5 sm:grid-cols-[11rem_minmax(0,1fr)] sm:gap-6">
        <QrCode
          text={enrolment.uri}
          label="QR code with the key for your authenticator app"
          className="size-44 rounded-lg border border-hairline"
        />
        <div className="grid content-start gap-3">
          <p>
            <span className="font-medium">1.</span> Open an authenticator app and scan this code. Any app for
            six-digit codes will do.
          </p>
          <p className="text-[0.8125rem] text-graphite">No camera? Type or paste this key instead:</p>
          <Secret secret={enrolment.secret} />
        </div>
      </div>
      <div className="grid gap-3">
        <p>
          <span className="font-medium">2.</span> Enter the code the app shows.
        </p>
        <TextField
          label="Code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={7}
          {...field('code')}
          inputClassName="font-mono text-lg tracking-[0.3em] sm:max-w-48"
        />
      </div>
      <FormButtons submit="Turn on two-factor" isBusy={isBusy} onCancel={onCancel} />
    </form>
  );
}

function Secret({ secret }: { secret: string }) {
  const { outcome, copy } = useCopy();
  const groups = secret.match(/.{1,4}/g)?.join(' ') ?? secret;
  return (
    <div className="grid justify-items-start gap-2">
      <code className="max-w-full rounded-md bg-paper-deep px-2 py-1.5 font-mono text-[0.8125rem] break-words select-all">
        {groups}
      </code>
      <Button
        size="small"
        icon={outcome === 'copied' ? <Check className="size-4" /> : <Copy className="size-4" />}
        onClick={() => void copy(secret)}
      >
        {outcome === 'copied' ? 'Copied' : 'Copy key'}
      </Button>
      <span role="status" className="sr-only">
        {outcome === 'copied' && 'The key has been copied.'}
        {outcome === 'refused' && 'Your browser blocked copying. Select the key and copy it by hand.'}
      </span>
    </div>
  );
}
