import { PaymentCancelledScreen } from '#web/features/billing/payment/payment-cancelled-screen.tsx';

export function meta() {
  return [{ title: 'Payment cancelled · Inkproof' }, { name: 'robots', content: 'noindex' }];
}

export default function PaymentCancelled() {
  return <PaymentCancelledScreen />;
}
