import { type FormEvent, useState } from 'react';
import { Button } from '#web/ui/controls/button.tsx';
import { TextField } from '#web/ui/controls/text-field.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Section } from '#web/ui/section.tsx';
import { describeAuthFailure } from '../dialog/auth-messages.ts';
import { useFields } from '../use-fields.ts';
import type { Account, Outcome } from './account-calls.ts';
import { FormButtons, SettingRow } from './setting-row.tsx';

interface ProfileSectionProps {
  account: Account;
  onChangeEmail: (email: string) => Promise<Outcome>;
}

/** The e-mail address and the sign-in methods. */
export function ProfileSection({ account, onChangeEmail }: ProfileSectionProps) {
  const [isOpen, setIsOpen] = useState(false);
  const methods = [
    account.hasPassword && 'Password',
    account.googleEmail !== null &&
      (account.googleEmail === account.email ? 'Google' : `Google (${account.googleEmail})`),
  ].filter(Boolean);

  return (
    <Section title="Profile">
      <SettingRow
        label="E-mail address"
        value={account.email}
        action="Change address"
        isOpen={isOpen}
        onOpen={() => setIsOpen(true)}
        onClose={() => setIsOpen(false)}
      >
        <EmailForm account={account} onSubmit={onChangeEmail} onClose={() => setIsOpen(false)} />
      </SettingRow>
      {account.newEmail && !isOpen && <PendingEmail account={account} onAgain={onChangeEmail} />}
      <SettingRow label="You log in with" value={methods.join(' and ') || 'A link by e-mail'} />
    </Section>
  );
}

interface EmailFormProps {
  account: Account;
  onSubmit: (email: string) => Promise<Outcome>;
  onClose: () => void;
}

function EmailForm({ account, onSubmit, onClose }: EmailFormProps) {
  const { values, field, setError } = useFields({ email: '' });
  const [isBusy, setIsBusy] = useState(false);

  const handleSubmit = async (event: FormEvent) => {
    event.preventDefault();
    const refuse = (text: string) => setError({ field: 'email', text });
    const next = values.email.trim();
    if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(next))
      return refuse('Enter the whole address, like name@example.com.');
    if (next.toLowerCase() === account.email.toLowerCase())
      return refuse('This is your address already. Enter the new one.');
    setIsBusy(true);
    const outcome = await onSubmit(next);
    setIsBusy(false);
    if (!outcome.ok) return refuse(describeAuthFailure(outcome.failure));
    onClose();
  };

  return (
    <form onSubmit={handleSubmit} noValidate className="grid gap-5">
      <TextField
        label="New e-mail address"
        type="email"
        autoComplete="email"
        hint={`Both addresses get an e-mail: the new one and ${account.email}. Nothing changes until you have followed the link in each.`}
        {...field('email')}
      />
      <FormButtons submit="Send the e-mails" isBusy={isBusy} onCancel={onClose} />
    </form>
  );
}

function PendingEmail({
  account,
  onAgain,
}: {
  account: Account;
  onAgain: (email: string) => Promise<Outcome>;
}) {
  const [state, setState] = useState<'idle' | 'busy' | 'sent'>('idle');
  const [error, setError] = useState<string | null>(null);
  const newEmail = account.newEmail ?? '';

  const handleAgain = async () => {
    setState('busy');
    setError(null);
    const outcome = await onAgain(newEmail);
    setState(outcome.ok ? 'sent' : 'idle');
    if (!outcome.ok) setError(describeAuthFailure(outcome.failure));
  };

  return (
    <>
      <Notice
        tone="info"
        title={`Waiting for ${newEmail} to be confirmed`}
        actions={
          <Button size="small" isBusy={state === 'busy'} onClick={handleAgain}>
            Send the e-mails again
          </Button>
        }
      >
        {state === 'sent' ? 'Sent again. ' : ''}
        Follow the links in the e-mails to {newEmail} and {account.email}. To use another address instead, ask
        for the change again: the earlier links stop working. If you do nothing, your address stays{' '}
        {account.email}.
      </Notice>
      {error && <Notice tone="error" title={error} />}
    </>
  );
}
