import { TermsScreen } from '#web/features/site/terms-screen.tsx';
import { describePage } from '#web/lib/page/page-meta.ts';

export function meta() {
  return describePage({
    path: '/terms',
    title: 'Terms of Service · Inkproof',
    description:
      'What you can expect from Inkproof: your notes stay yours, credits never expire, and when payments are refunded.',
  });
}

export default function Terms() {
  return <TermsScreen />;
}
