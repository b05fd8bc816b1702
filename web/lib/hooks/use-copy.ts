import { useEffect, useState } from 'react';

/** How long the outcome of copying is shown, in ms. */
const shownMs = 2500;

/** Copies a text to the clipboard. `outcome` is set for some seconds; `refused`: the browser blocked it. */
export function useCopy() {
  const [outcome, setOutcome] = useState<'copied' | 'refused' | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), shownMs);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async (text: string) => {
    try {
      // there is no clipboard outside a secure context
      await navigator.clipboard.writeText(text);
      setOutcome('copied');
    } catch {
      setOutcome('refused');
    }
  };
  return { outcome, copy };
}
