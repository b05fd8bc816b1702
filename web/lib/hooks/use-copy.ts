import { useEffect, useState } from 'react';

/** How long it is said what came of copying, in ms. */
const saidMs = 2500;

/** Copies a text to the clipboard. `outcome` says what came of it, for some seconds; `refused`: this browser does not let pages copy. */
export function useCopy() {
  const [outcome, setOutcome] = useState<'copied' | 'refused' | null>(null);
  useEffect(() => {
    if (outcome === null) return;
    const timer = setTimeout(() => setOutcome(null), saidMs);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async (text: string) => {
    try {
      // without a secure context there is no clipboard at all
      await navigator.clipboard.writeText(text);
      setOutcome('copied');
    } catch {
      setOutcome('refused');
    }
  };
  return { outcome, copy };
}
