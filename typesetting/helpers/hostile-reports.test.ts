/** Malicious content that a hijacked helper may write into its log, and that a document may put into its names. */
import { expect, test } from 'vitest';
import { planBiber } from './bibliography/plan-biber.ts';
import { readBiberReport } from './bibliography/read-biber-report.ts';
import { readBibtexReport } from './bibliography/read-bibtex-report.ts';
import { planIndexes } from './index/plan-indexes.ts';
import { readMakeindexReport } from './index/read-makeindex-report.ts';

const long = (text: string, bytes = 400_000) => text.repeat(bytes / text.length);
const index = { what: 'The index', lineOf: () => null };
const compiled = { latex: '', left: new Map<string, Buffer>(), messages: [], assets: [] };

test.each([
  ['a log of MakeIndex', () => readMakeindexReport(long('!! (file = '), [], index)],
  ['an entry', () => readMakeindexReport('   -- Extra', [`\\indexentry{${long('}{')}`], index)],
  ['a log of Biber', () => readBiberReport(`[1] a> ERROR - ${long('BibTeX subsystem: , line ')}`, '')],
  ['a source that is searched', () => readBiberReport("[1] a> WARN - entry 'x' is bad", long('\\cite{'))],
  ['a log of BibTeX', () => readBibtexReport(long('---line 1 of file '), '')],
  [
    'a control file',
    () => planBiber({ ...compiled, left: new Map([['main.bcf', Buffer.from(long('<bcf:datasource '))]]) }),
  ],
  [
    'a warning like imakeidx’s',
    () =>
      planIndexes({
        ...compiled,
        latex: long('\\index['),
        left: new Map([['main.idx', Buffer.from('\\indexentry{x}{1}')]]),
        messages: [
          { level: 'warning', file: null, line: null, message: `imakeidx: Remember to run ${long("`a ' ")}` },
        ],
      }).tasks.map((task) => task.readReport('   -- Extra')),
  ],
])('%s that would take hours to search is read', (_, read) => {
  // if it were slow because of its input, it would run into the test's own limit
  expect(read()).toBeDefined();
});
