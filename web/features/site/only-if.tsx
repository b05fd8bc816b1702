import type { ReactNode } from 'react';
import { isPassageShown, type Passage } from '#shared/site-facts.ts';
import { getSiteFacts } from '#web/lib/page/site-facts.ts';

interface OnlyIfProps {
  passage: Passage;
  as?: 'p' | 'li' | 'tr';
  children: ReactNode;
}

/**
 * One text element that applies only to some installations. The build always writes it; the server removes it from
 * pages where it does not apply (shared/site-facts.ts). It must not contain another element of the same type.
 */
export function OnlyIf({ passage, as: Element = 'p', children }: OnlyIfProps) {
  const isBuilding = typeof document === 'undefined';
  if (!isBuilding && !isPassageShown(passage, getSiteFacts())) return null;
  return <Element data-if={passage}>{children}</Element>;
}
