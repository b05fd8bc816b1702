import { cn } from './cn.ts';

/** A measured progress bar; `value` is 0 … 100. */
export function Progress({ value, label, className }: { value: number; label: string; className?: string }) {
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(value)}
      className={cn('h-1 overflow-hidden rounded-full bg-hairline', className)}
    >
      <div
        className="h-full origin-left bg-ink transition-transform duration-200 ease-out"
        style={{ transform: `scaleX(${Math.max(0, Math.min(100, value)) / 100})` }}
      />
    </div>
  );
}
