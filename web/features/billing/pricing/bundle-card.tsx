import { Check } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { type Bundle, type Currency, highlightLabel } from '#shared/api/bundles.ts';
import { cn } from '#web/ui/cn.ts';
import { BundlePrice } from '../bundle-price.tsx';

interface BundleCardProps {
  bundle: Bundle;
  currency: Currency | null;
  /** The button, or its replacement. */
  children: ReactNode;
}

/** One bundle: its content and its price. Rows of neighbouring cards are aligned. */
export function BundleCard({ bundle, currency, children }: BundleCardProps) {
  const id = useId();
  const { conversion, assistant } = bundle.credits;
  return (
    <section
      aria-labelledby={id}
      className={cn(
        'relative row-span-5 grid grid-rows-subgrid gap-0 rounded-2xl border bg-page p-6 sm:p-7',
        bundle.highlight ? 'border-ink ring-1 ring-ink' : 'border-hairline',
      )}
    >
      {bundle.highlight && (
        <p className="absolute -top-3.5 left-6 rounded-full bg-ink px-3 py-1 text-[0.8125rem] leading-tight font-medium text-paper sm:left-7">
          {highlightLabel}
        </p>
      )}
      <h2 id={id} className="font-serif text-2xl font-medium tracking-tight">
        {bundle.title}
      </h2>
      <p className="mt-1 text-graphite">{bundle.description}</p>
      <div className="mt-6">
        <BundlePrice bundle={bundle} currency={currency} />
      </div>
      <ul className="mt-6 grid content-start gap-2.5 border-t border-hairline pt-5">
        {[`${conversion} pages`, `${assistant} AI conversations`].map((line) => (
          <li key={line} className="flex items-baseline gap-2.5">
            <Check className="size-4 shrink-0 self-center text-green" aria-hidden="true" />
            {line}
          </li>
        ))}
      </ul>
      <div className="mt-7 grid min-h-12 content-end">{children}</div>
    </section>
  );
}
