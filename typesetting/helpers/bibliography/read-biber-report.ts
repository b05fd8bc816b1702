/** Turns Biber's report on a bibliography (`.blg`) into messages for its author. */
import { literal } from '#latex/source/escape.ts';
import type { LogMessage } from '#shared/api/errors.ts';
import { findLine } from '../find-line.ts';

/** A file with more errors than this repeats one. */
const maxMessages = 20;
const maxLine = 2_000;

/** LaTeX itself reports each citation that no database has. */
const reportedElsewhere =
  /^(?:I didn't find a database entry for|Data source '.*' is empty|Legacy month field)/i;

/** Nothing is an error: the document has its pages, without the entries that could not be read. */
export function readBiberReport(report: string, latex: string): LogMessage[] {
  const messages: LogMessage[] = [];
  let database = 'main.tex';
  for (const line of report.split('\n', 10_000)) {
    if (messages.length >= maxMessages) break;
    if (line.length > maxLine) continue;
    const found = /^\[\d+\] \S+> (INFO|WARN|ERROR) - (.*)$/.exec(line);
    if (!found) continue;
    const [, level, text] = found as unknown as [string, string, string];
    database = /^Found BibTeX data source '(?:.*\/)?([^/]+)'/.exec(text)?.[1] ?? database;
    if (level === 'INFO' || reportedElsewhere.test(text)) continue;
    const fault = /^BibTeX subsystem: .*?, line (\d+), (?:warning: |syntax error: )?(.*)$/.exec(text);
    if (fault) {
      messages.push({
        level: 'warning',
        file: database,
        line: Number(fault[1]),
        message: `The entry could not be read: ${fault[2]}`,
        explanation: 'Biber left it out of the list of references.',
        suggestion: 'Look for a missing comma, brace or quotation mark, there or in the entry before.',
      });
      continue;
    }
    const key = /\b[Ee]ntry '([^']+)'/.exec(text)?.[1];
    messages.push({
      level: 'warning',
      file: 'main.tex',
      line: key
        ? findLine(latex, new RegExp(`cite\\w*[^{]{0,200}\\{[^}]{0,500}\\b${literal(key)}\\b`))
        : null,
      message: `Biber: ${text}`,
    });
  }
  return messages;
}
