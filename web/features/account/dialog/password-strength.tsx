import { measurePassword, minPasswordLength } from '#web/lib/password.ts';
import { cn } from '#web/ui/cn.ts';

const sentences = [
  `Use ${minPasswordLength} characters or more.`,
  'Long enough. Longer is stronger.',
  'Strong.',
] as const;

/** Rates the password while it is typed. */
export function PasswordStrength({ password }: { password: string }) {
  const level = measurePassword(password);
  const bars = password === '' ? 0 : level + 1;
  return (
    <span className="flex items-center justify-between gap-3">
      <span>{sentences[level]}</span>
      <span className="flex shrink-0 gap-1" aria-hidden="true">
        {[1, 2, 3].map((bar) => (
          <span
            key={bar}
            className={cn(
              'h-1 w-5 rounded-full transition-colors duration-200',
              bar > bars ? 'bg-hairline' : level === 0 ? 'bg-edge' : 'bg-green',
            )}
          />
        ))}
      </span>
    </span>
  );
}
