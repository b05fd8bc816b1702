import { type Bundle, type Currency, currencies, formatPrice } from '#shared/api/bundles.ts';
import { cn } from '#web/ui/cn.ts';

interface BundlePriceProps {
  bundle: Bundle;
  /** Null while unknown: its space is reserved, so that nothing moves. */
  currency: Currency | null;
  size?: 'large' | 'small';
}

/** What a bundle costs, and its former price. */
export function BundlePrice({ bundle, currency, size = 'large' }: BundlePriceProps) {
  const { price, oldPrice } = bundle;
  const isLarge = size === 'large';
  return (
    <p className={cn('flex items-baseline tabular-nums', isLarge ? 'flex-wrap gap-x-3' : 'shrink-0 gap-x-2')}>
      {oldPrice && (
        <s className={cn('order-2 text-graphite', isLarge ? 'text-lg' : 'text-sm')}>
          <span className="sr-only">was </span>
          <Amount prices={oldPrice} currency={currency} className="line-through" />
        </s>
      )}
      <span
        className={cn(
          'font-serif font-medium',
          isLarge ? 'text-[2.75rem] leading-none tracking-tight' : 'text-lg leading-tight',
        )}
      >
        <Amount prices={price} currency={currency} />
      </span>
    </p>
  );
}

interface AmountProps {
  prices: Record<Currency, number>;
  currency: Currency | null;
  /** For each amount: a line-through on the box would not reach into it. */
  className?: string;
}

/** Both prices are stacked, so that the box fits the wider one; CSS shows the one in the known currency. */
function Amount({ prices, currency, className }: AmountProps) {
  return (
    <span className="inline-grid">
      {currencies.map((candidate) => (
        <span
          key={candidate}
          className={cn('col-start-1 row-start-1', className, candidate !== currency && 'invisible')}
          aria-hidden={candidate !== currency}
        >
          {formatPrice(prices[candidate], candidate)}
        </span>
      ))}
    </span>
  );
}
