import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import type { BillingHistory } from '#shared/api/billing.ts';
import type { ApiResult } from '#web/lib/api/api-client.ts';
import { describeError } from '#web/lib/api/describe-error.ts';
import { type CreditsState, useCredits } from '#web/lib/billing/credits.ts';
import { saveBlob } from '#web/lib/save-blob.ts';
import { useSession } from '#web/lib/session/use-session.ts';
import { Button, buttonClass } from '#web/ui/controls/button.tsx';
import { Loading } from '#web/ui/controls/loading.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { LogInPage } from '#web/ui/pages/log-in-page.tsx';
import { Section } from '#web/ui/section.tsx';
import { getBillingCsv, getBillingHistory } from '../billing-api.ts';
import { describeConversations, describePages } from '../describe-credits.ts';
import { PurchaseList } from './purchase-list.tsx';
import { UsageTable } from './usage-table.tsx';

const titleClass = 'font-serif text-3xl leading-tight font-medium tracking-tight sm:text-4xl';

/** Purchases, refunds and usage. It shows the signed-in user's own data; a visitor is asked to log in. */
export function BillingHistoryScreen() {
  const { state, user } = useSession();
  if (state === 'loading') return <Loading isPage />;
  if (state !== 'signed-in' || !user)
    return (
      <LogInPage
        title="Log in to see your billing history"
        text="Your purchases, refunds and usage are shown here once you log in."
      />
    );
  return (
    <div className="mx-auto max-w-4xl px-4 py-10 sm:px-6 sm:py-14">
      <SignedIn key={user.id} userId={user.id} />
    </div>
  );
}

function SignedIn({ userId }: { userId: string }) {
  const credits = useCredits();
  const { data, refetch, isFetching } = useQuery<ApiResult<BillingHistory>>({
    queryKey: ['billing', userId],
    queryFn: getBillingHistory,
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4">
        <div>
          <h1 className={titleClass}>Billing history</h1>
          <p className="mt-1 min-h-6 text-graphite">{describeBalance(credits)}</p>
        </div>
        <Link to="/pricing" className={buttonClass({ variant: 'primary' })}>
          Buy credits
        </Link>
      </div>
      {data === undefined ? (
        <Loading />
      ) : data.ok ? (
        <Sections history={data.data} />
      ) : (
        <Notice
          tone="error"
          className="mt-8"
          title={describeError(data.error) || 'Unexpected error occurred.'}
          actions={
            <Button isBusy={isFetching} onClick={() => void refetch()}>
              Try again
            </Button>
          }
        >
          Your credits are unchanged; only this page could not be shown.
        </Notice>
      )}
    </>
  );
}

function describeBalance(credits: CreditsState): string {
  if (credits.kind !== 'known') return '';
  const { conversion, assistant } = credits.credits;
  return `You have ${describePages(conversion)} and ${describeConversations(assistant)}.`;
}

function Sections({ history: { purchases, usage } }: { history: BillingHistory }) {
  return (
    <div className="mt-8">
      <Section title="Purchases">
        {purchases.length === 0 ? (
          <Empty />
        ) : (
          <>
            <PurchaseList purchases={purchases} />
            <CsvButton />
          </>
        )}
      </Section>
      <Section title="Usage by month" description="Pages delivered, and changes made by the assistant.">
        {usage.length === 0 ? (
          <p className="text-graphite">
            Nothing used yet.{' '}
            <Link to="/convert" className="text-ink underline decoration-edge underline-offset-4">
              Convert a page
            </Link>{' '}
            and it is counted here.
          </p>
        ) : (
          <UsageTable usage={usage} />
        )}
      </Section>
    </div>
  );
}

function Empty() {
  return (
    <div className="grid justify-items-start gap-3 rounded-2xl border border-dashed border-edge p-6">
      <p className="font-medium">No purchases yet</p>
      <p className="max-w-[33em] text-graphite">
        Bundles you buy are listed here with their receipts. Each is a one-time purchase; there is no
        subscription.
      </p>
      <Link to="/pricing" className={buttonClass()}>
        See the bundles
      </Link>
    </div>
  );
}

function CsvButton() {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const handleDownload = async () => {
    setIsBusy(true);
    setError(null);
    const csv = await getBillingCsv();
    setIsBusy(false);
    if (csv.ok) saveBlob(csv.data, `inkproof-billing-${new Date().toISOString().slice(0, 10)}.csv`);
    else setError(describeError(csv.error) || 'Unexpected error occurred.');
  };
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Button isBusy={isBusy} icon={<Download className="size-4" />} onClick={handleDownload}>
        Download as CSV
      </Button>
      <p role="alert" className="text-sm text-red">
        {error}
      </p>
    </div>
  );
}
