import { useQuery } from '@tanstack/react-query';
import { Laptop, MonitorSmartphone, Smartphone, Tablet } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { AccountSession } from '#shared/api/account.ts';
import type { ErrorObject } from '#shared/api/errors.ts';
import { type Device, describeDevice } from '#shared/describe-device.ts';
import type { ApiResult } from '#web/lib/api/api-client.ts';
import { describeError } from '#web/lib/api/describe-error.ts';
import { Button } from '#web/ui/controls/button.tsx';
import { Spinner } from '#web/ui/controls/loading.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Section } from '#web/ui/section.tsx';
import { describeAuthFailure } from '../dialog/auth-messages.ts';
import { endSessionOf, listSessions } from './account-api.ts';
import { endOtherSessions } from './account-calls.ts';
import { describeAge } from './describe-time.ts';
import { keepGood } from './keep-good.ts';

/** Where the account is signed in. */
export function SessionsSection({ userId }: { userId: string }) {
  const query = useQuery({
    queryKey: ['account', userId, 'sessions'],
    queryFn: listSessions,
    structuralSharing: keepGood,
    staleTime: 0,
    refetchOnWindowFocus: true,
  });
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [news, setNews] = useState<string | null>(null);
  const sessions = query.data?.ok ? query.data.data.sessions : [];
  const others = sessions.filter((session) => !session.is_current);

  const act = async (key: string, work: () => Promise<string | null>, success: string) => {
    setBusy(key);
    setError(null);
    setNews(null);
    const problem = await work();
    await query.refetch();
    setBusy(null);
    if (problem) setError(problem);
    else setNews(success);
  };

  const handleEnd = (session: AccountSession) =>
    act(
      session.id,
      async () => findProblem(await endSessionOf(session.id)),
      `${describeDevice(session.user_agent).name} has been signed out.`,
    );
  const handleEndOthers = () =>
    act(
      'others',
      async () => {
        const outcome = await endOtherSessions();
        return outcome.ok ? null : describeAuthFailure(outcome.failure);
      },
      'All other devices have been signed out.',
    );

  return (
    <Section
      title="Devices"
      description="Where you are signed in. Sign out any you don’t recognise or no longer use."
    >
      {query.isPending && (
        <p className="flex items-center gap-3 text-graphite" role="status">
          <Spinner className="size-4" /> Looking up your devices
        </p>
      )}
      {query.data && !query.data.ok && (
        <LoadError error={query.data.error} onRetry={() => void query.refetch()} />
      )}
      {sessions.length > 0 && (
        <ul className="grid divide-y divide-hairline rounded-xl border border-hairline bg-page">
          {sessions.map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              isBusy={busy === session.id}
              isDisabled={busy !== null}
              onEnd={() => void handleEnd(session)}
            />
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <div>
          <Button isBusy={busy === 'others'} disabled={busy !== null} onClick={() => void handleEndOthers()}>
            Sign out all other devices
          </Button>
        </div>
      )}
      {/* always rendered, so that the outcome is announced */}
      <p role="status" className="text-graphite empty:hidden">
        {news}
      </p>
      {error && <Notice tone="error" title={error} onDismiss={() => setError(null)} />}
    </Section>
  );
}

interface SessionRowProps {
  session: AccountSession;
  isBusy: boolean;
  isDisabled: boolean;
  onEnd: () => void;
}

function SessionRow({ session, isBusy, isDisabled, onEnd }: SessionRowProps) {
  const { name, kind } = describeDevice(session.user_agent);
  const now = useNow();
  const Icon = icons[kind];
  const used = session.refreshed_at ?? session.created_at;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-3">
      <Icon className="size-5 shrink-0 text-graphite" aria-hidden="true" />
      <div className="min-w-0 flex-1 basis-44">
        <p className="font-medium">{name}</p>
        <p className="text-[0.8125rem] text-graphite">
          <span title={formatMoment(used)}>Last used {describeAge(used, now)}</span>
          {' · '}
          <span title={formatMoment(session.created_at)}>
            signed in {describeAge(session.created_at, now)}
          </span>
        </p>
      </div>
      {session.is_current ? (
        <p className="text-[0.8125rem] font-medium text-green">This device</p>
      ) : (
        <Button
          size="small"
          isBusy={isBusy}
          disabled={isDisabled}
          onClick={onEnd}
          aria-label={`Sign out ${name}`}
        >
          Sign out
        </Button>
      )}
    </li>
  );
}

const icons: Record<Device['kind'], typeof Laptop> = {
  phone: Smartphone,
  tablet: Tablet,
  computer: Laptop,
  other: MonitorSmartphone,
};

function LoadError({ error, onRetry }: { error: ErrorObject; onRetry: () => void }) {
  return (
    <Notice
      tone="error"
      title={describeError(error)}
      actions={<Button onClick={onRetry}>Try again</Button>}
    />
  );
}

function findProblem(result: ApiResult<undefined>): string | null {
  return result.ok ? null : describeError(result.error);
}

function formatMoment(iso: string): string {
  return new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso));
}

/** The current time, updated every minute. */
function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
