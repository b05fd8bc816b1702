import { useSearchParams } from 'react-router';
import { PaymentSuccessScreen } from '#web/features/billing/payment/payment-success-screen.tsx';

export function meta() {
  return [{ title: 'Your credits · Inkproof' }, { name: 'robots', content: 'noindex' }];
}

export default function PaymentSuccess() {
  const [query] = useSearchParams();
  return <PaymentSuccessScreen sessionId={query.get('session_id')} />;
}
