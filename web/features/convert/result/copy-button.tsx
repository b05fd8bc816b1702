import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button } from '#web/ui/button.tsx';

/** How long the button says that it copied, in ms. */
const saysCopiedMs = 2000;

export function CopyButton({ text }: { text: string }) {
  const [outcome, setOutcome] = useState<'none' | 'copied' | 'refused'>('none');
  useEffect(() => {
    if (outcome === 'none') return;
    const timer = setTimeout(() => setOutcome('none'), saysCopiedMs);
    return () => clearTimeout(timer);
  }, [outcome]);
  const handleCopy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('copied');
    } catch {
      setOutcome('refused');
    }
  };
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        aria-label="Copy LaTeX"
        title="Copy LaTeX"
        onClick={handleCopy}
        icon={outcome === 'copied' ? <Check className="size-4 text-green" /> : <Copy className="size-4" />}
      >
        <span className="@max-2xl/bar:hidden">{outcome === 'copied' ? 'Copied' : 'Copy'}</span>
      </Button>
      <span role="status" className="sr-only">
        {outcome === 'copied' && 'LaTeX copied.'}
        {outcome === 'refused' && 'The browser refused to copy. Select the text and copy it by hand.'}
      </span>
    </>
  );
}
