import { ExternalLink } from 'lucide-react';
import type { BillingPurchase, BillingRefund, PurchaseState, RefundState } from '#shared/api/billing.ts';
import { formatPrice, getBundle } from '#shared/api/bundles.ts';
import { cn } from '#web/ui/cn.ts';
import { describePair } from '../describe-credits.ts';
import { formatDay } from './format-date.ts';

const states: Record<PurchaseState, { label: string; look: string }> = {
  processing: { label: 'Payment pending', look: 'border-edge text-ink' },
  paid: { label: 'Paid', look: 'border-transparent bg-green-wash text-green' },
  failed: { label: 'Payment failed', look: 'border-transparent bg-red-wash text-red' },
  partly_refunded: { label: 'Partly refunded', look: 'border-edge text-ink' },
  refunded: { label: 'Refunded', look: 'border-edge text-ink' },
  disputed: { label: 'Disputed', look: 'border-transparent bg-red-wash text-red' },
  charged_back: { label: 'Charged back', look: 'border-transparent bg-red-wash text-red' },
  mismatched: { label: 'Being checked', look: 'border-edge text-ink' },
};
const refundStates: Record<RefundState, string> = {
  pending: 'on its way to your bank',
  succeeded: 'refunded',
  failed: 'returned by your bank; nothing was refunded',
};

/** The purchases, newest first, each with its refunds. */
export function PurchaseList({ purchases }: { purchases: BillingPurchase[] }) {
  return (
    <ul className="grid">
      {purchases.map((purchase) => (
        <PurchaseItem key={purchase.id} purchase={purchase} />
      ))}
    </ul>
  );
}

function PurchaseItem({ purchase }: { purchase: BillingPurchase }) {
  const { bundle, credits, currency, discount, refunds } = purchase;
  const state = states[purchase.state];
  const takenBack = describePair(purchase.credits_taken_back);
  return (
    <li className="grid gap-x-6 gap-y-1 border-b border-hairline py-4 first:pt-0 last:border-b-0 sm:grid-cols-[7.5rem_minmax(0,1fr)_auto]">
      <time dateTime={purchase.created_at} className="text-graphite tabular-nums">
        {formatDay(purchase.paid_at ?? purchase.created_at)}
      </time>
      <div className="grid content-start gap-1">
        <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <span className="font-medium">{getBundle(bundle).title}</span>
          <Chip look={state.look}>{state.label}</Chip>
          {purchase.is_test && <Chip look="border-dashed border-edge text-graphite">Test mode</Chip>}
        </p>
        <p className="text-sm text-graphite">{describePair(credits)}</p>
        {takenBack && <p className="text-sm text-graphite">Deducted: {takenBack}</p>}
        {refunds.map((refund) => (
          <RefundLine key={refund.id} refund={refund} currency={currency} />
        ))}
      </div>
      <div className="grid content-start gap-1 sm:justify-items-end sm:text-right">
        <p className="font-medium tabular-nums">{formatPrice(purchase.amount, currency)}</p>
        {discount > 0 && (
          <p className="text-sm text-graphite tabular-nums">{formatPrice(discount, currency)} off</p>
        )}
        {purchase.receipt_url && (
          <a
            href={purchase.receipt_url}
            target="_blank"
            rel="noreferrer"
            className="inline-flex min-h-8 items-center gap-1.5 rounded text-sm underline decoration-edge underline-offset-4 hover:decoration-ink pointer-coarse:min-h-11"
          >
            Receipt
            <span className="sr-only"> of {formatDay(purchase.created_at)}, opens in a new tab</span>
            <ExternalLink className="size-3.5" aria-hidden="true" />
          </a>
        )}
      </div>
    </li>
  );
}

function Chip({ look, children }: { look: string; children: string }) {
  return (
    <span className={cn('rounded-full border px-2 py-0.5 text-xs leading-4 font-medium', look)}>
      {children}
    </span>
  );
}

function RefundLine({ refund, currency }: { refund: BillingRefund; currency: BillingPurchase['currency'] }) {
  return (
    <p className="text-sm text-graphite">
      Refund of <span className="text-ink tabular-nums">{formatPrice(refund.amount, currency)}</span>,{' '}
      <time dateTime={refund.created_at}>{formatDay(refund.created_at)}</time>: {refundStates[refund.state]}.
    </p>
  );
}
