import type { Credits } from '#web/lib/billing/credits.ts';

/** Both balances, in large type. */
export function Balances({ credits }: { credits: Credits }) {
  return (
    <dl className="grid w-full max-w-xl overflow-hidden rounded-2xl border border-hairline bg-page sm:grid-cols-2">
      <Balance name="Conversion credits" count={credits.conversion} text="Pages you can convert" />
      <Balance
        name="AI assistant credits"
        count={credits.assistant}
        text="Conversations about your documents"
        className="border-hairline max-sm:border-t sm:border-l"
      />
    </dl>
  );
}

interface BalanceProps {
  name: string;
  count: number;
  text: string;
  className?: string;
}

function Balance({ name, count, text, className = '' }: BalanceProps) {
  return (
    <div className={`grid gap-1 p-5 sm:p-6 ${className}`}>
      <dt className="text-sm font-medium">{name}</dt>
      <dd className="font-serif text-4xl font-medium tracking-tight tabular-nums">
        {count.toLocaleString('en-GB')}
      </dd>
      <dd className="text-[0.8125rem] text-graphite">{text}</dd>
    </div>
  );
}
