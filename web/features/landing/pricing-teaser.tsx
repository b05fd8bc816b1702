import { Link } from 'react-router';
import { bundles, formatPrice } from '#shared/api/bundles.ts';
import { buttonClass } from '#web/ui/controls/button.tsx';

/** The prices at a glance: in euros until live/show-pounds.ts has found that the visitor is in the UK. */
export function PricingTeaser() {
  return (
    <section aria-labelledby="prices" className="landing-row">
      <div className="grid content-start justify-items-start gap-4">
        <h2 id="prices" className="landing-title">
          Pay once, keep your credits
        </h2>
        <p className="max-w-[25em] text-graphite">No subscription. Credits never expire.</p>
        <Link to="/pricing" prefetch="intent" className={buttonClass({ className: 'mt-2' })}>
          See all prices
        </Link>
      </div>
      <ul className="border-t border-hairline">
        {bundles.map((bundle) => (
          <li
            key={bundle.id}
            className="grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-6 gap-y-0.5 border-b border-hairline py-4"
          >
            <span className="font-serif text-xl font-medium">{bundle.title}</span>
            {bundle.price.eur === 0 ? (
              <span className="font-medium">No payment</span>
            ) : (
              <span
                className="font-medium tabular-nums"
                data-pounds={formatPrice(bundle.price.gbp, 'gbp')}
                suppressHydrationWarning
              >
                {formatPrice(bundle.price.eur, 'eur')}
              </span>
            )}
            <span className="col-span-2 text-graphite">
              {bundle.credits.conversion} pages, {bundle.credits.assistant} AI conversations
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
