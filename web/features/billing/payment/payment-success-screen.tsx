import { useCallback, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { getBundle } from '#shared/api/bundles.ts';
import { type CreditsState, refreshCredits, useCredits } from '#web/lib/billing/credits.ts';
import { useSession } from '#web/lib/session/use-session.ts';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { Loading, Spinner } from '#web/ui/controls/loading.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { LogInPage } from '#web/ui/pages/log-in-page.tsx';
import { MessagePage } from '#web/ui/pages/message-page.tsx';
import { Balances } from '../balances.tsx';
import { ContactLink } from '../contact-link.tsx';
import { describePair } from '../describe-credits.ts';
import { type FollowedPayment, followPayment, type Payment } from './follow-payment.ts';

/** From the specification's catalogue (section 8). */
const balanceError = 'Unable to fetch updated credit balance.';

interface PaymentSuccessScreenProps {
  /** Added to the address by the payment page; null if somebody came here otherwise. */
  sessionId: string | null;
}

/** /payment-success: waits for the credits, then thanks and shows both balances. */
export function PaymentSuccessScreen({ sessionId }: PaymentSuccessScreenProps) {
  const { state, user } = useSession();
  if (state === 'loading') return <Loading isPage />;
  if (state === 'signed-out' || !user)
    return (
      <LogInPage
        title="Log in to see your credits"
        text="If a payment went through, its credits are on the account that made it."
      />
    );
  return sessionId === null ? (
    <PlainBalance />
  ) : (
    <Waiting key={`${user.id} ${sessionId}`} sessionId={sessionId} />
  );
}

function Waiting({ sessionId }: { sessionId: string }) {
  const credits = useCredits();
  const [payment, setPayment] = useState<Payment>({ kind: 'waiting' });
  const followed = useRef<FollowedPayment | null>(null);
  const start = useCallback(() => {
    followed.current?.stop();
    setPayment({ kind: 'waiting' });
    followed.current = followPayment(sessionId, setPayment);
  }, [sessionId]);
  useEffect(() => {
    start();
    return () => followed.current?.stop();
  }, [start]);
  // pushed: the balance has changed, most likely by this payment
  const balance =
    credits.kind === 'known' ? `${credits.credits.conversion} ${credits.credits.assistant}` : '';
  useEffect(() => {
    if (balance !== '') followed.current?.nudge();
  }, [balance]);

  switch (payment.kind) {
    case 'waiting':
      return (
        <MessagePage title="Your payment is being confirmed">
          <p role="status" className="flex items-center gap-3 text-graphite">
            <Spinner className="size-5" />
            Waiting for the payment service. This takes a few seconds.
          </p>
        </MessagePage>
      );
    case 'processing':
      return (
        <MessagePage title="Your payment is still pending">
          <p>
            Your bank takes a few days for this kind of payment. The credits of{' '}
            {getBundle(payment.bundle).title} are added automatically when the money arrives; there is nothing
            more for you to do. Until then your balance does not change.
          </p>
          <Balance credits={credits} />
          <Ways />
        </MessagePage>
      );
    case 'paid': {
      const added = payment.credits ? describePair(payment.credits) : '';
      return (
        <MessagePage title="Thank you">
          <p className="text-lg">
            {getBundle(payment.bundle).title} is yours.{added && ` ${added} have been added.`} This is your
            new balance.
          </p>
          <Balance credits={credits} />
          <Ways />
        </MessagePage>
      );
    }
    case 'failed':
    case 'expired':
      return (
        <MessagePage
          title={
            payment.kind === 'failed' ? 'The payment did not go through' : 'The payment was not made in time'
          }
        >
          <p>No credits were added. You can try again, with the same or another payment method.</p>
          <div className="flex flex-wrap gap-3">
            <Link to="/pricing" className={buttonClass({ variant: 'primary', size: 'large' })}>
              Back to Pricing
            </Link>
          </div>
        </MessagePage>
      );
    case 'checked':
      return (
        <MessagePage title="Your payment is being checked">
          <p>
            The payment does not match the purchase, so nothing has been added yet. We will look into it and
            put it right; <ContactLink>write to us</ContactLink> if you would rather not wait.
          </p>
          <Ways />
        </MessagePage>
      );
    case 'unknown':
      return (
        <MessagePage title="Your credits">
          <Failure onRetry={start} />
          <Ways />
        </MessagePage>
      );
  }
}

function PlainBalance() {
  const credits = useCredits();
  return (
    <MessagePage title="Your credits">
      <Balance credits={credits} />
      <Ways />
    </MessagePage>
  );
}

function Balance({ credits }: { credits: CreditsState }) {
  if (credits.kind === 'known') return <Balances credits={credits.credits} />;
  if (credits.kind === 'failed') return <Failure onRetry={() => void refreshCredits()} />;
  return <Loading label="Loading your balance" />;
}

function Failure({ onRetry }: { onRetry: () => void }) {
  return (
    <Notice
      tone="error"
      className="w-full max-w-xl"
      title={balanceError}
      actions={<Button onClick={onRetry}>Try again</Button>}
    >
      A payment that went through is safe: its credits are added as soon as the payment service tells us. If
      they are not there in an hour, <ContactLink>write to us</ContactLink>.
    </Notice>
  );
}

function Ways() {
  return (
    <div className="flex flex-wrap gap-3">
      <Link to="/convert" className={buttonClass({ variant: 'primary', size: 'large' })}>
        Go to Converter
      </Link>
      <Link to="/billing_history" className={buttonClass({ variant: 'quiet', size: 'large' })}>
        Billing history
      </Link>
    </div>
  );
}
