/** One run of MakeIndex: the entries that TeX wrote, sorted and formatted by a style. */
import type { HelperTask } from '../helper.ts';
import { readMakeindexReport } from './read-makeindex-report.ts';

export interface MakeindexList {
  /** The file of entries, and its content. */
  entries: string;
  bytes: Buffer;
  makes: string;
  args: readonly string[];
  /** The style, if it is one of the document's own files. */
  style?: readonly [name: string, bytes: Uint8Array] | undefined;
  what: string;
  /** The line of an entry, from the first argument that TeX wrote for it. */
  lineOf(entry: string): number | null;
}

export function makeindexTask({
  entries,
  bytes,
  makes,
  args,
  style,
  what,
  lineOf,
}: MakeindexList): HelperTask {
  const report = `${entries}.ilg`;
  return {
    program: 'makeindex',
    args: ['-q', ...args, '-t', report, '-o', makes, entries],
    files: new Map<string, Uint8Array>([[entries, bytes], ...(style ? [style] : [])]),
    makes,
    report,
    what,
    readReport: (text) =>
      readMakeindexReport(text, bytes.toString('utf8').split('\n'), { what, lineOf, style }),
  };
}
