import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { resendConfirmation } from './auth-calls.ts';
import { describeAuthFailure, signUpSuccess } from './auth-messages.ts';
import { useIdentityConfig } from './use-identity-config.ts';

/** After a sign-up: a mail has been sent. `onHold` keeps the dialog open. */
export function Mailed({ email, onHold }: { email: string; onHold: () => void }) {
  const config = useIdentityConfig();
  const [resend, setResend] = useState<'idle' | 'busy' | 'sent'>('idle');
  const [error, setError] = useState<string | null>(null);
  const handleResend = async () => {
    onHold();
    setResend('busy');
    const failure = await resendConfirmation(email);
    setError(failure ? describeAuthFailure(failure) : null);
    setResend(failure ? 'idle' : 'sent');
  };
  return (
    <div className="grid gap-4">
      <div role="status" className="grid justify-items-start gap-3">
        <span className="grid size-10 place-items-center rounded-full bg-green-wash text-green">
          <MailCheck className="size-5" aria-hidden="true" />
        </span>
        <p className="font-medium">{signUpSuccess}</p>
        <p className="text-graphite break-words">The link in the e-mail to {email} signs you in.</p>
      </div>
      {error && <Notice tone="error" title={error} />}
      <div className="flex flex-wrap gap-2">
        {config?.inboxUrl && (
          <a
            href={config.inboxUrl}
            target="_blank"
            rel="noreferrer"
            onClick={onHold}
            className={buttonClass({ variant: 'primary', size: 'small' })}
          >
            Open the local inbox
          </a>
        )}
        <Button
          size="small"
          isBusy={resend === 'busy'}
          disabled={resend === 'sent'}
          onClick={() => void handleResend()}
        >
          {resend === 'sent' ? 'Sent again' : 'Send it again'}
        </Button>
      </div>
    </div>
  );
}
