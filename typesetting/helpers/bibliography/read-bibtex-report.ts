/** Turns BibTeX's report on a bibliography (`.blg`) into messages for its author. */
import { literal } from '#latex/source/escape.ts';
import type { LogMessage } from '#shared/api/errors.ts';
import { findLine } from '../find-line.ts';

/** A file with more errors than this repeats one. */
const maxMessages = 20;
const maxLine = 2_000;

/**
 * Errors in the database files, and missing styles. They are only warnings: the document has its pages, and
 * LaTeX itself reports each missing citation. Entries that BibTeX only finds incomplete are not reported.
 */
export function readBibtexReport(report: string, latex: string): LogMessage[] {
  const messages: LogMessage[] = [];
  const add = (message: Omit<LogMessage, 'level'>) => {
    if (messages.length < maxMessages) messages.push({ level: 'warning', ...message });
  };
  for (const line of report.split('\n', 10_000)) {
    if (line.length > maxLine) continue;
    const style = /^I couldn't open style file (.+?)(?:\.bst)?$/.exec(line)?.[1];
    if (style)
      add({
        file: 'main.tex',
        line: findLine(latex, new RegExp(`\\\\bibliographystyle\\s*\\{\\s*${literal(style)}\\b`)),
        message: `The bibliography style ${style}.bst was not found.`,
        explanation:
          'It is neither installed nor among the document’s files, so the list of references stays empty.',
        suggestion: 'Add the .bst file to the document, or choose plain, abbrv, alpha, plainnat or ieeetr.',
      });
    const fault = /^(.+?)---line (\d+) of file (.+\.bib)$/.exec(line);
    if (fault)
      add({
        file: fault[3]!,
        line: Number(fault[2]),
        message: fault[1]!.replace(/^Warning--/, ''),
        explanation: 'BibTeX could not read the entry there, and left it out.',
        suggestion: 'Look for a missing comma, brace or quotation mark, there or in the entry before.',
      });
  }
  return messages;
}
