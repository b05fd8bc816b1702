import { Check, Copy } from 'lucide-react';
import { studentCode } from '#shared/api/bundles.ts';
import { useCopy } from '#web/lib/hooks/use-copy.ts';
import { track } from '#web/lib/page/analytics.ts';
import { Button } from '#web/ui/controls/button.tsx';

/** The student code: copied here, entered on the payment page. */
export function StudentNote() {
  const { outcome, copy } = useCopy();
  const handleCopy = async () => {
    track('student_discount_click');
    await copy(studentCode.code);
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
        {outcome === 'refused' && `Your browser blocked copying. The code is ${studentCode.code}.`}
      </span>
    </div>
  );
}
