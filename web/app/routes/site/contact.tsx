import { ContactScreen } from '#web/features/site/contact-screen.tsx';
import { describePage } from '#web/lib/page/page-meta.ts';

export function meta() {
  return describePage({
    path: '/contact',
    title: 'Contact · Inkproof',
    description:
      'Write to the founder of Inkproof by e-mail. Billing is answered within 24 hours, everything else in 1–2 business days.',
  });
}

export default function Contact() {
  return <ContactScreen />;
}
