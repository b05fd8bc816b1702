import { useLocation, useNavigate } from 'react-router';
import { cn } from '#web/ui/cn.ts';
import { Notice } from '#web/ui/notice.tsx';

/** Notices by where the user comes from. */
const texts = {
  'account-deleted': {
    title: 'Your account has been deleted.',
    text: 'You are signed out everywhere. We have sent you a confirmation by e-mail.',
  },
} as const;

type Arrival = keyof typeof texts;

/** The `state` for a navigation whose target shows this notice. */
export function arriveWith(notice: Arrival): { notice: Arrival } {
  return { notice };
}

/** Shows at the top of the page what happened before it was opened; disappears with the next navigation. */
export function ArrivalNotice({ isWide }: { isWide: boolean }) {
  const { state, pathname } = useLocation();
  const navigate = useNavigate();
  const notice = findNotice(state);
  if (!notice) return null;
  const { title, text } = texts[notice];
  return (
    <div className={cn('w-full px-4 pt-4 sm:px-6', !isWide && 'mx-auto max-w-6xl')}>
      <Notice tone="info" title={title} onDismiss={() => void navigate(pathname, { replace: true })}>
        {text}
      </Notice>
    </div>
  );
}

function findNotice(state: unknown): Arrival | null {
  if (typeof state !== 'object' || state === null || !('notice' in state)) return null;
  const { notice } = state;
  return typeof notice === 'string' && Object.hasOwn(texts, notice) ? (notice as Arrival) : null;
}
