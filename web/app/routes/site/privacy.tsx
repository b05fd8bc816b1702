import { PrivacyScreen } from '#web/features/site/privacy-screen.tsx';
import { describePage } from '#web/lib/page/page-meta.ts';

export function meta() {
  return describePage({
    path: '/privacy',
    title: 'Privacy Policy · Inkproof',
    description:
      'Uploads are deleted after processing and kept only if you save them. No tracking, no third-party requests, logs for 14 days.',
  });
}

export default function Privacy() {
  return <PrivacyScreen />;
}
