import type { ReactNode } from 'react';
import { isPassageShown, type Passage } from '#shared/site-facts.ts';
import { getSiteFacts } from '#web/lib/page/site-facts.ts';

interface OnlyIfProps {
  passage: Passage;
  as?: 'p' | 'li' | 'tr';
  children: ReactNode;
}

/**
 * One element of text that holds only on some installations. The build writes it always; the server takes it out of
 * the page where it does not hold (shared/site-facts.ts). Nothing of the same element may stand inside.
 */
export function OnlyIf({ passage, as: Element = 'p', children }: OnlyIfProps) {
  const isBuilding = typeof document === 'undefined';
  if (!isBuilding && !isPassageShown(passage, getSiteFacts())) return null;
  return <Element data-if={passage}>{children}</Element>;
}
