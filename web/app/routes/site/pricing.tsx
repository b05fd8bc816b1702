import { PricingScreen } from '#web/features/billing/pricing/pricing-screen.tsx';
import { listProducts } from '#web/features/site/structured-data.ts';
import { describePage } from '#web/lib/page/page-meta.ts';

export function meta() {
  return describePage({
    path: '/pricing',
    title: 'Pricing · Inkproof',
    description:
      'Ten pages free, then one-time bundles of pages and AI conversations. No subscription, and credits never expire.',
    data: listProducts(),
  });
}

export default function Pricing() {
  return <PricingScreen />;
}
