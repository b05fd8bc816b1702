/**
 * Opens when an account has too few credits: shows what is missing, and the bundles. The converter's pages are kept
 * while the browser is on the payment page.
 */
import {
  type Bundle,
  type Currency,
  getBundle,
  highlightLabel,
  type PaidBundleId,
  paidBundleIds,
} from '#shared/api/bundles.ts';
import { useCurrency } from '#web/lib/billing/country.ts';
import { type CreditsNeed, closeCreditsDialog } from '#web/lib/billing/credits-dialog.ts';
import { buyBundle, dismissPurchaseError, usePurchase } from '#web/lib/billing/purchase.ts';
import { cn } from '#web/ui/cn.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Dialog } from '#web/ui/dialogs/dialog.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { BundlePrice } from '../bundle-price.tsx';
import { describeNeed } from './describe-need.ts';

export function CreditsDialog({ need, isOpen }: { need: CreditsNeed; isOpen: boolean }) {
  const currency = useCurrency();
  const { error } = usePurchase();
  const { title, text } = describeNeed(need);
  const handleClose = () => {
    dismissPurchaseError();
    closeCreditsDialog();
  };
  return (
    <Dialog isOpen={isOpen} title={title} description={text} onClose={handleClose}>
      <div className="grid gap-4">
        {error && (
          <Notice tone="error" title={error}>
            Nothing was bought and nothing was charged.
          </Notice>
        )}
        <ul className="grid gap-3">
          {paidBundleIds.map((id) => (
            <BundleRow
              key={id}
              id={id}
              bundle={getBundle(id)}
              currency={currency}
              beforeLeaving={need.beforeLeaving}
            />
          ))}
        </ul>
        <p className="text-sm text-graphite">
          {need.kind === 'conversion' ? 'Your pages stay in the converter.' : 'Your document stays as it is.'}{' '}
          Pay once; credits never expire.
        </p>
      </div>
    </Dialog>
  );
}

interface BundleRowProps {
  id: PaidBundleId;
  bundle: Bundle;
  currency: Currency | null;
  beforeLeaving?: () => Promise<void>;
}

function BundleRow({ id, bundle, currency, beforeLeaving }: BundleRowProps) {
  const purchase = usePurchase();
  return (
    <li
      className={cn(
        'grid gap-3 rounded-xl border p-4',
        bundle.highlight ? 'border-ink ring-1 ring-ink' : 'border-hairline',
      )}
    >
      <div className="flex items-baseline justify-between gap-4">
        <h3 className="font-serif text-lg font-medium">
          {bundle.title}
          {bundle.highlight && (
            <span className="block font-sans text-xs font-medium text-graphite">{highlightLabel}</span>
          )}
        </h3>
        <BundlePrice bundle={bundle} currency={currency} size="small" />
      </div>
      <div className="flex items-center justify-between gap-4">
        <p className="text-sm text-graphite">
          {bundle.credits.conversion} pages, {bundle.credits.assistant} AI conversations
        </p>
        <Button
          variant={bundle.highlight ? 'primary' : 'outline'}
          isBusy={purchase.bundle === id}
          disabled={purchase.bundle !== null}
          onClick={() => void buyBundle(id, beforeLeaving)}
        >
          Get it!
          <span className="sr-only">: {bundle.title}</span>
        </Button>
      </div>
    </li>
  );
}
