import { ConfirmScreen } from '#web/features/account/confirm/confirm-screen.tsx';

export function meta() {
  return [{ title: 'Confirm your address · Inkproof' }, { name: 'robots', content: 'noindex' }];
}

export default function Confirm() {
  return <ConfirmScreen />;
}
