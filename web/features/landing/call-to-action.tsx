import { Link } from 'react-router';
import { buttonClass } from '#web/ui/controls/button.tsx';

/** "Try it for free", or "Start converting" for a signed-in user: known before the first paint. */
export function CallToAction() {
  return (
    <Link
      to="/convert"
      prefetch="intent"
      data-call-to-action
      className={buttonClass({ variant: 'primary', size: 'large' })}
    >
      <span className="signed-in:hidden">Try it for free</span>
      <span className="hidden signed-in:inline">Start converting</span>
    </Link>
  );
}
