import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { studentCode } from '#shared/api/bundles.ts';
import { track } from '#web/lib/analytics.ts';
import { Button } from '#web/ui/button.tsx';

/** How long the button says that it has copied, in ms. */
const saidMs = 2500;

/** The students' code: entered on the payment page, copied here. */
export function StudentNote() {
  const [outcome, setOutcome] = useState<'copied' | 'refused' | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), saidMs);
    return () => clearTimeout(timer);
  }, [outcome]);
  const handleCopy = async () => {
    track('student_discount_click');
    const isCopied = await navigator.clipboard.writeText(studentCode.code).then(
      () => true,
      () => false,
    );
    setOutcome(isCopied ? 'copied' : 'refused');
  };
  return (
    <div className="mt-8 flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-2xl border border-hairline px-6 py-4 sm:px-7">
      <p>
        <span className="font-medium">Student?</span>{' '}
        <span className="text-graphite">
          Enter <code className="font-mono text-[0.9375rem] font-medium text-ink">{studentCode.code}</code> at
          checkout for {studentCode.percentOff}% off any bundle.
        </span>
      </p>
      <Button
        icon={outcome === 'copied' ? <Check className="size-4 text-green" /> : <Copy className="size-4" />}
        onClick={handleCopy}
      >
        Copy the code
      </Button>
      <span className="sr-only" role="status">
        {outcome === 'copied' && 'The code is copied.'}
        {outcome === 'refused' && `This browser does not let pages copy. The code is ${studentCode.code}.`}
      </span>
    </div>
  );
}
