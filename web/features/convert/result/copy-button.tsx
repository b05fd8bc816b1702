import { Check, Copy } from 'lucide-react';
import { useCopy } from '#web/lib/hooks/use-copy.ts';
import { Button } from '#web/ui/controls/button.tsx';

export function CopyButton({ text }: { text: string }) {
  const { outcome, copy } = useCopy();
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        aria-label="Copy LaTeX"
        title="Copy LaTeX"
        onClick={() => void copy(text)}
        icon={outcome === 'copied' ? <Check className="size-4 text-green" /> : <Copy className="size-4" />}
      >
        <span className="@max-2xl/bar:hidden">{outcome === 'copied' ? 'Copied' : 'Copy'}</span>
      </Button>
      <span role="status" className="sr-only">
        {outcome === 'copied' && 'LaTeX copied.'}
        {outcome === 'refused' && 'Your browser blocked copying. Select the text and copy it by hand.'}
      </span>
    </>
  );
}
