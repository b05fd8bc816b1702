/** Turns MakeIndex's report on entries (`.ilg`) into plain messages at the source line of each entry. */
import type { LogMessage } from '#shared/api/errors.ts';
import type { MakeindexList } from './makeindex-task.ts';

const maxMessages = 20;
const maxLine = 2_000;

type Report = Pick<LogMessage, 'message' | 'explanation' | 'suggestion'>;

interface Words {
  pattern: RegExp;
  say(entry: string, match: RegExpExecArray): Report;
}

const leftOut = 'MakeIndex left the entry out.';
const words: readonly Words[] = [
  {
    pattern: /^Extra `@'/,
    say: (entry) => ({
      message: `The entry “${entry}” has more than one @.`,
      explanation: `${leftOut} The text before the @ sets the order, the text after it is printed.`,
      suggestion: 'Write "@ for an @ that is to be printed.',
    }),
  },
  {
    pattern: /^Extra `!'/,
    say: (entry) => ({
      message: `The entry “${entry}” has more than three levels.`,
      explanation: `${leftOut} Each ! begins a level, and there are three.`,
      suggestion: 'Write "! for an exclamation mark that is to be printed.',
    }),
  },
  {
    pattern: /^Extra `(.)'/,
    say: (entry, [, sign]) => ({
      message: `The entry “${entry}” has a ${sign} too many.`,
      explanation: leftOut,
      suggestion: `Write "${sign} for one that is to be printed.`,
    }),
  },
  {
    pattern: /^Illegal null field/,
    say: (entry) => ({
      message: `The entry “${entry}” has an empty part.`,
      explanation: leftOut,
      suggestion: 'Write something before and after each ! and @.',
    }),
  },
  {
    pattern: /^(?:Incomplete|Missing|No opening|No closing)/,
    say: (entry) => ({
      message: `The entry “${entry}” does not end.`,
      explanation: leftOut,
      suggestion: 'Look for a brace that is not closed, or a " at its end.',
    }),
  },
  {
    pattern: /^Illegal (?:page number|space within|Arabic|Roman)/,
    say: (entry) => ({
      message: `The page of the entry “${entry}” is not a number that MakeIndex knows.`,
      explanation: `${leftOut} It knows Arabic and Roman numerals and letters, with a - between chapter and page.`,
    }),
  },
  {
    pattern: /^(?:First|Second) argument too long|^Encapsulator .* too long/,
    say: (entry) => ({ message: `The entry “${entry.slice(0, 60)}…” is too long.`, explanation: leftOut }),
  },
  {
    pattern: /^Unmatched range opening/,
    say: (entry) => ({
      message: `The range of pages of “${entry}” begins but does not end.`,
      suggestion: 'Add the same entry with |) where the range ends.',
    }),
  },
  {
    pattern: /^Unmatched range closing/,
    say: (entry) => ({
      message: `The range of pages of “${entry}” ends but does not begin.`,
      suggestion: 'Add the same entry with |( where the range begins.',
    }),
  },
  {
    pattern: /^Extra range opening/,
    say: (entry) => ({
      message: `The range of pages of “${entry}” begins twice.`,
      suggestion: 'End the first range with |) before the next begins.',
    }),
  },
  {
    pattern: /^Conflicting entries/,
    say: (entry) => ({
      message: `The entry “${entry}” is on one page in two forms.`,
      explanation: 'Its page is listed once for each form.',
      suggestion: 'Give both the same form, for instance |textbf, or leave one out.',
    }),
  },
  {
    pattern: /^Illegal range|inconsistent|Inconsistent/,
    say: (entry) => ({
      message: `The range of pages of “${entry}” has another form, or other numerals, at its end or in between.`,
    }),
  },
];

/** @param entries the lines of the file of entries, which the log counts. */
export function readMakeindexReport(
  report: string,
  entries: readonly string[],
  { what, lineOf, style: ownStyle }: Pick<MakeindexList, 'what' | 'lineOf' | 'style'>,
): LogMessage[] {
  const messages: LogMessage[] = [];
  const add = (line: number | null, text: Report, file = 'main.tex') => {
    if (messages.length >= maxMessages) return;
    if (!messages.some((known) => known.message === text.message && known.line === line))
      messages.push({ level: 'warning', file, line, ...text });
  };
  let at = 0;
  let style: string | null = null;
  for (const line of report.split('\n', 20_000)) {
    if (line.length > maxLine) continue;
    const place = /^(?:!!|##|\*\*) (.*?)\((?:file|input) = (.+?), line = (\d+)/.exec(line);
    if (place) {
      at = Number(place[3]);
      style = place[1]!.includes('style') ? place[2]! : null;
    }
    const missing = /^(?:Index style file (.+) not found|Could not open style file (.+?))\.$/.exec(line);
    if (missing)
      add(null, {
        message: `${what} was left out: its style ${missing[1] ?? missing[2]} was not found.`,
        explanation: 'It is neither installed nor among the document’s files.',
        suggestion: 'Add the .ist file to the document, or leave the option -s out.',
      });
    const text = /^ {3}-- (.*)$/.exec(line)?.[1];
    if (!text) continue;
    if (style !== null) {
      // nobody here can correct an installed style
      if (style === ownStyle?.[0])
        add(at, { message: `MakeIndex did not read a line of the style: ${text}` }, style);
      continue;
    }
    const written = readEntry((entries[at - 1] ?? '').slice(0, maxLine));
    const known = words.flatMap(({ pattern, say }) => {
      const match = pattern.exec(text);
      return match ? [say(toShown(written), match)] : [];
    })[0];
    add(lineOf(written), known ?? { message: `${what}: ${text}`, explanation: leftOut });
  }
  return messages;
}

/** The first argument of a line `\indexentry{…}{12}`. */
function readEntry(line: string): string {
  return (
    /^\\\w+entry\s*(?:\[[^\]]*\])?\{(.*)\}\{[^{}]*\}\s*$/.exec(line)?.[1] ?? /\{(.*)$/.exec(line)?.[1] ?? ''
  );
}

/** As its author knows it: without what packages append, and without the sort key if that is a copy. */
function toShown(entry: string): string {
  return entry
    .replace(/\|(?:hyperpage|hyperindexformat\{[^}]*\})$/, '')
    .replace(/\|[()]?\w*$/, '')
    .slice(0, 80);
}
