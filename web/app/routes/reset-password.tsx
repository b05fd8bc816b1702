import { ResetScreen } from '#web/features/account/reset/reset-screen.tsx';

export function meta() {
  return [{ title: 'Reset your password · Inkproof' }, { name: 'robots', content: 'noindex' }];
}

export default function ResetPassword() {
  return <ResetScreen />;
}
