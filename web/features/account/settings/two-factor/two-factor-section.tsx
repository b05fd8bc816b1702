import { Smartphone } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../ui/controls/button.tsx';
import { ConfirmDialog } from '../../../../ui/dialogs/confirm-dialog.tsx';
import { Notice } from '../../../../ui/notice.tsx';
import { Section } from '../../../../ui/section.tsx';
import { describeAuthFailure } from '../../dialog/auth-messages.ts';
import { type Enrolment, type Factor, makeRecoveryCodes, type Outcome } from '../account-calls.ts';
import { describeAge } from '../describe-time.ts';
import { EnrolForm } from './enrol-form.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

interface TwoFactorSectionProps {
  userId: string;
  factors: Factor[];
  supportEmail: string | null;
  onBegin: () => Promise<Outcome<Enrolment>>;
  onFinish: (factorId: string, code: string) => Promise<Outcome>;
  onRemove: (factorId: string) => Promise<Outcome>;
}

type Step =
  | { kind: 'idle' }
  | { kind: 'starting' }
  | { kind: 'enrolling'; enrolment: Enrolment }
  | { kind: 'asking'; factor: Factor }
  | { kind: 'removing'; factor: Factor };

/** Two-factor login: a code from an authenticator app in addition to the password. */
export function TwoFactorSection(props: TwoFactorSectionProps) {
  const { factors, supportEmail } = props;
  const [codes, setCodes] = useState<string[] | null>(null);
  const [step, setStep] = useState<Step>({ kind: 'idle' });
  const [news, setNews] = useState<'added' | 'removed' | null>(null);
  const [error, setError] = useState<string | null>(null);

  const handleBegin = async () => {
    setStep({ kind: 'starting' });
    setError(null);
    setNews(null);
    const outcome = await props.onBegin();
    if (outcome.ok) return setStep({ kind: 'enrolling', enrolment: outcome.data });
    setStep({ kind: 'idle' });
    setError(describeAuthFailure(outcome.failure));
  };

  const handleRemove = async (factor: Factor) => {
    setStep({ kind: 'removing', factor });
    setError(null);
    const outcome = await props.onRemove(factor.id);
    setStep({ kind: 'idle' });
    if (!outcome.ok) return setError(describeAuthFailure(outcome.failure));
    setNews('removed');
  };

  return (
    <Section
      title="Two-factor"
      description="With two-factor, logging in takes your password and a code from an app on your phone."
    >
      {factors.map((factor) => (
        <div key={factor.id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <div className="flex items-center gap-3">
            <Smartphone className="size-5 shrink-0 text-graphite" aria-hidden="true" />
            <div>
              <p>{factor.name}</p>
              <p className="text-[0.8125rem] text-graphite">
                <span className="text-green">On</span>, added {describeAge(factor.createdAt, Date.now())}
              </p>
            </div>
          </div>
          <Button
            variant="danger"
            isBusy={step.kind === 'removing' && step.factor.id === factor.id}
            onClick={() => setStep({ kind: 'asking', factor })}
          >
            Remove
          </Button>
        </div>
      ))}
      {factors[0] && (
        <RecoveryCodes userId={props.userId} factorId={factors[0].id} codes={codes} onCodes={setCodes} />
      )}
      {news === 'added' && codes === null && (
        <LostPhone supportEmail={supportEmail} onDismiss={() => setNews(null)} />
      )}
      {news === 'removed' && (
        <Notice
          tone="info"
          title="Two-factor is off. You log in with your password alone."
          onDismiss={() => setNews(null)}
        />
      )}
      {step.kind === 'enrolling' ? (
        <EnrolForm
          enrolment={step.enrolment}
          onFinish={props.onFinish}
          onDone={async (factorId) => {
            // the app's code was just verified; if this fails, the row offers to create them
            const made = await makeRecoveryCodes(factorId, null);
            setCodes(made.ok ? made.data : null);
            setStep({ kind: 'idle' });
            setNews('added');
          }}
          onCancel={() => setStep({ kind: 'idle' })}
        />
      ) : (
        factors.length === 0 && (
          <div>
            <Button isBusy={step.kind === 'starting'} onClick={handleBegin}>
              Set up two-factor
            </Button>
          </div>
        )
      )}
      {error && <Notice tone="error" title={error} onDismiss={() => setError(null)} />}
      <ConfirmDialog
        isOpen={step.kind === 'asking'}
        title="Remove two-factor?"
        text="You will log in with your password alone. The entry in your authenticator app stops working; you can delete it there."
        confirmLabel="Remove two-factor"
        cancelLabel="Keep it"
        onConfirm={() => step.kind === 'asking' && void handleRemove(step.factor)}
        onClose={() => setStep((now) => (now.kind === 'asking' ? { kind: 'idle' } : now))}
      />
    </Section>
  );
}

function LostPhone({ supportEmail, onDismiss }: { supportEmail: string | null; onDismiss: () => void }) {
  return (
    <Notice tone="info" title="Two-factor is on." onDismiss={onDismiss}>
      From now on we ask for a code when you log in. If you lose your phone, you can log in with a recovery
      code. If you have none,{' '}
      {supportEmail ? (
        <>
          write to{' '}
          <a className="text-ink underline underline-offset-2" href={`mailto:${supportEmail}`}>
            {supportEmail}
          </a>
        </>
      ) : (
        'write to our support'
      )}{' '}
      from the address of this account: once we have confirmed that it’s you, we turn two-factor off.
    </Notice>
  );
}
