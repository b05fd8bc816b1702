import { PricingScreen } from '#web/features/billing/pricing/pricing-screen.tsx';

export function meta() {
  return [
    { title: 'Pricing · Inkproof' },
    {
      name: 'description',
      content:
        'Ten pages free. Then bundles of pages and AI conversations, bought once: no subscription, and credits never expire.',
    },
  ];
}

export default function Pricing() {
  return <PricingScreen />;
}
