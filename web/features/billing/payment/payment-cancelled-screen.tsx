import { Link } from 'react-router';
import { buttonClass } from '#web/ui/button.tsx';
import { ContactLink } from '../contact-link.tsx';
import { MessagePage } from '../message-page.tsx';

/** /payment-cancelled: the way back from the payment page without having paid. */
export function PaymentCancelledScreen() {
  return (
    <MessagePage title="The payment was cancelled">
      <p className="max-w-[56ch] text-lg text-graphite">
        Nothing was charged, and your credits are as they were. Pages you had on the desk are still there.
      </p>
      <div className="flex flex-wrap gap-3">
        <Link to="/pricing" className={buttonClass({ variant: 'primary', size: 'large' })}>
          Back to Pricing
        </Link>
        <Link to="/convert" className={buttonClass({ variant: 'quiet', size: 'large' })}>
          Go to Converter
        </Link>
      </div>
      <p className="text-graphite">
        Did something not work? <ContactLink>Contact us</ContactLink>.
      </p>
    </MessagePage>
  );
}
