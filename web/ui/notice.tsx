import { CircleAlert, Info, TriangleAlert, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from './cn.ts';
import { IconButton } from './controls/button.tsx';

type NoticeTone = 'error' | 'warning' | 'info';

const looks: Record<NoticeTone, { box: string; icon: ReactNode }> = {
  error: { box: 'border-red/35 bg-red-wash', icon: <CircleAlert className="size-4 text-red" /> },
  warning: { box: 'border-hairline bg-paper-deep', icon: <TriangleAlert className="size-4 text-red" /> },
  info: { box: 'border-hairline bg-paper-deep', icon: <Info className="size-4 text-graphite" /> },
};

interface NoticeProps {
  tone: NoticeTone;
  /** What happened, in one sentence. */
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  onDismiss?: () => void;
  className?: string;
}

/** Says what happened and what to do. Errors are announced at once, other notices at the next pause. */
export function Notice({ tone, title, children, actions, onDismiss, className }: NoticeProps) {
  const { box, icon } = looks[tone];
  return (
    <div
      role={tone === 'error' ? 'alert' : 'status'}
      className={cn('flex animate-settle gap-3 rounded-lg border p-3 text-sm', box, className)}
    >
      <span className="mt-0.5 shrink-0" aria-hidden="true">
        {icon}
      </span>
      <div className="min-w-0 flex-1 space-y-1.5">
        <p className="font-medium">{title}</p>
        {children && <div className="text-graphite">{children}</div>}
        {actions && <div className="flex flex-wrap gap-2 pt-1">{actions}</div>}
      </div>
      {onDismiss && (
        <IconButton label="Dismiss message" size="small" onClick={onDismiss} className="-m-1.5">
          <X />
        </IconButton>
      )}
    </div>
  );
}
