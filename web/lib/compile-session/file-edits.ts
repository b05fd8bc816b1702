import type { TextChange } from '#shared/api/compile-session.ts';
import type { Figure } from '#shared/api/conversion.ts';
import { readFigureText } from '../figure-text.ts';
import { chooseChanges } from './choose-changes.ts';

export interface FileEdit {
  file: string;
  changes: TextChange[];
}

/** The edits that turn one list of files into the other; null if more has changed than texts. */
export function listFileEdits(before: readonly Figure[], after: readonly Figure[]): FileEdit[] | null {
  if (before.length !== after.length) return null;
  const edits: FileEdit[] = [];
  for (const [index, next] of after.entries()) {
    const known = before[index]!;
    if (known === next) continue;
    if (known.name !== next.name || known.media_type !== next.media_type) return null;
    if (known.data_base64 === next.data_base64) continue;
    const [old, text] = [readFigureText(known), readFigureText(next)];
    if (old === null || text === null) return null;
    edits.push({ file: next.name, changes: chooseChanges(old, text, undefined) });
  }
  return edits;
}
