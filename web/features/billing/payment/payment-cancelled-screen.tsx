import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { findPendingAction } from '#web/lib/pending-action.ts';
import { buttonClass } from '#web/ui/controls/button.tsx';
import { MessagePage } from '#web/ui/pages/message-page.tsx';
import { ContactLink } from '../contact-link.tsx';

/** /payment-cancelled: shown on return from the payment page without payment. */
export function PaymentCancelledScreen() {
  const [hasPages, setHasPages] = useState(false);
  useEffect(() => {
    void findPendingAction('convert').then((pending) => setHasPages(pending !== null));
  }, []);
  return (
    <MessagePage title="The payment was cancelled">
      <p className="text-lg">
        Nothing was charged, and your credits are unchanged.
        {hasPages && ' Your pages are still in the converter.'}
      </p>
      <div className="flex flex-wrap gap-3">
        <Link to="/pricing" className={buttonClass({ variant: 'primary', size: 'large' })}>
          Back to Pricing
        </Link>
        <Link to="/convert" className={buttonClass({ variant: 'quiet', size: 'large' })}>
          Go to Converter
        </Link>
      </div>
      <p>
        Something not working? <ContactLink>Contact us</ContactLink>.
      </p>
    </MessagePage>
  );
}
