/** Recovery codes for a lost phone: how many are left, creating new ones, and showing them once. */
import { useQuery } from '@tanstack/react-query';
import { Check, Copy, Download } from 'lucide-react';
import { type FormEvent, useEffect, useState } from 'react';
import { useCopy } from '../../../../lib/hooks/use-copy.ts';
import { saveBlob } from '../../../../lib/save-blob.ts';
import { Button } from '../../../../ui/controls/button.tsx';
import { TextField } from '../../../../ui/controls/text-field.tsx';
import { Notice } from '../../../../ui/notice.tsx';
import { describeAuthFailure } from '../../dialog/auth-messages.ts';
import { useFields } from '../../use-fields.ts';
import { type CodeCount, countRecoveryCodes, makeRecoveryCodes } from '../account-calls.ts';
import { keepGood } from '../keep-good.ts';
import { FormButtons, SettingRow } from '../setting-row.tsx';

interface RecoveryCodesProps {
  userId: string;
  factorId: string;
  /** Codes that were created while the app was being added. */
  codes: string[] | null;
  onCodes: (codes: string[] | null) => void;
}

export function RecoveryCodes({ userId, factorId, codes, onCodes }: RecoveryCodesProps) {
  const [isOpen, setIsOpen] = useState(false);
  const query = useQuery({
    queryKey: ['account', userId, 'recovery-codes'],
    queryFn: countRecoveryCodes,
    structuralSharing: keepGood,
    staleTime: 0,
  });
  const { refetch } = query;
  useEffect(() => {
    if (codes !== null) void refetch();
  }, [codes, refetch]);
  const count = query.data?.ok ? query.data.data : null;
  if (codes !== null) return <CodeList codes={codes} onDone={() => onCodes(null)} />;
  if (count === null) return null;
  return (
    <SettingRow
      label="Recovery codes"
      value={describeCount(count)}
      action={count.total === 0 ? 'Get codes' : 'New codes'}
      isOpen={isOpen}
      onOpen={() => setIsOpen(true)}
      onClose={() => setIsOpen(false)}
    >
      <NewCodesForm
        factorId={factorId}
        replaces={count.left > 0}
        onDone={(made) => {
          setIsOpen(false);
          onCodes(made);
        }}
        onCancel={() => setIsOpen(false)}
      />
    </SettingRow>
  );
}

function describeCount({ left, total }: CodeCount): string {
  if (total === 0) return 'None yet. With one, you can log in if you lose your phone.';
  return left === 0 ? 'All used' : `${left} of ${total} left`;
}

interface NewCodesFormProps {
  factorId: string;
  /** Codes that still work will stop working. */
  replaces: boolean;
  onDone: (codes: string[] | null) => void;
  onCancel: () => void;
}

function NewCodesForm({ factorId, replaces, onDone, onCancel }: NewCodesFormProps) {
  const { values, field, setError } = useFields({ code: '' });
  const [isBusy, setIsBusy] = useState(false);

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const refuse = (text: string) => setError({ field: 'code', text });
    const digits = values.code.replace(/\s/g, '');
    if (!/^\d{6}$/.test(digits)) return refuse('The code has six digits.');
    setIsBusy(true);
    const outcome = await makeRecoveryCodes(factorId, digits);
    setIsBusy(false);
    if (outcome.ok) return onDone(outcome.data);
    refuse(
      outcome.failure.code === 'mfa_verification_failed'
        ? 'This code is incorrect. Wait for the next one.'
        : describeAuthFailure(outcome.failure),
    );
  };

  return (
    <form onSubmit={handleSubmit} noValidate className="grid gap-5">
      <TextField
        label="Code from your authenticator app"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={7}
        hint={replaces ? 'Your current codes will stop working.' : undefined}
        {...field('code')}
        inputClassName="font-mono text-lg tracking-[0.3em] sm:max-w-48"
      />
      <FormButtons submit="Get new codes" isBusy={isBusy} onCancel={onCancel} />
    </form>
  );
}

function CodeList({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  const { outcome, copy } = useCopy();
  const text = `${codes.join('\n')}\n`;
  return (
    <section
      aria-label="Your recovery codes"
      className="grid animate-settle gap-4 rounded-xl border border-hairline bg-page p-4 sm:p-5"
    >
      <div className="grid gap-1">
        <h3 className="font-medium">Save your recovery codes</h3>
        <p className="text-graphite">
          If you lose your phone, you can log in once with each of these, in place of the app’s code. They are
          shown only once. Keep them where you keep your passwords.
        </p>
      </div>
      <ul className="grid grid-cols-1 gap-x-6 gap-y-1.5 rounded-md bg-paper-deep p-3 font-mono text-[0.8125rem] select-all sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" onClick={onDone}>
          I have saved them
        </Button>
        <Button
          icon={outcome === 'copied' ? <Check className="size-4" /> : <Copy className="size-4" />}
          onClick={() => void copy(text)}
        >
          {outcome === 'copied' ? 'Copied' : 'Copy'}
        </Button>
        <Button
          icon={<Download className="size-4" />}
          onClick={() =>
            saveBlob(
              new Blob([`Inkproof recovery codes\n\n${text}`], { type: 'text/plain' }),
              'inkproof-recovery-codes.txt',
            )
          }
        >
          Download
        </Button>
      </div>
      {outcome === 'refused' && (
        <Notice
          tone="warning"
          title="Your browser blocked copying. Select the codes and copy them by hand."
        />
      )}
      <span role="status" className="sr-only">
        {outcome === 'copied' && 'The codes have been copied.'}
      </span>
    </section>
  );
}
