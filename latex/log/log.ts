/**
 * Reads a TeX log into messages with file, line, plain explanation and, where a rule exists, a suggested fix.
 * Written for logs made with `-file-line-error` and `max_print_line=10000` (no wrapped lines); others only lose
 * precision. Pure text work, used by both the server and the browser.
 */
import type { LogFix, LogMessage } from '#shared/api/errors.ts';
import { spellOutHidden } from '../source/hidden-characters.ts';
import { SourceText } from '../source/source-text.ts';
import { findOpenBrace } from './fixes/braces.ts';
import { findDollarLine } from './fixes/dollars.ts';
import { findBlankLine, findDelimiterLine } from './fixes/maths.ts';
import { locate } from './locate.ts';
import { findLuaLine, readLuaError } from './lua-error.ts';
import type { Complaint } from './rule.ts';
import { advise, proposeFixes } from './rules/rules.ts';

/** More messages than this come from an error in a loop; nobody reads them. */
const maxMessages = 200;
/** Messages whose fault is searched for in the source: the first ones are fixed first. */
const maxSearched = 40;
const meetsBlankLine =
  /^(?:Missing \$|Missing } inserted|File ended while|Paragraph ended before|Runaway|LaTeX Error: .* allowed only in math)/;
const meetsBrace =
  /^(?:Missing } inserted|File ended while|Paragraph ended before|Runaway|Argument of \S+ has an extra)/;
const meetsDelimiter = /^(?:Missing \\right|Extra \\right)/;
const meetsLua = /^Lua error /;
const meetsDollar = /^(?:Missing \$|LaTeX Error: Command .* invalid in math mode)/;
const maxContextLength = 400;
/** Lines after an error in which TeX shows where it happened. */
const contextWindow = 40;

const fileLineError = /^((?:\.{0,2}\/)?[^\s:()"<>|][^:"<>|]*\.[A-Za-z0-9]{1,8}):(\d+): (.*)$/;
const bareError = /^!(?: |(?=pdfTeX error))(.*)$/;
const warningStart =
  /^(?:LaTeX(?:3)?|Package|Class|Module)(?: (?:Font|hooks|\S+))?(?: \S+)? [Ww]arning: (.*)$/;
const box =
  /^((?:Over|Under)full \\[hv]box \(.*?\))(?: (?:in paragraph|in alignment|detected|has occurred)\b.*?)?(?: at lines? (\d+)(?:--\d+)?)?/;
const missingCharacter = /^Missing character: There is no (.+?) (?:\(U\+([0-9A-F]+)\) )?in font (.+?)!?$/;
/** Consequences of an error already reported, not separate errors. */
const aftermath = /^(?:\s*==> Fatal error occurred|Emergency stop|Fatal error occurred)/;
const openedFile = /^\(((?:\.{0,2}\/)[^\s()]+|[^\s()]+\.[A-Za-z]{2,8})/;

const gaveUp = /^\(That makes 100 errors; please try again\.\) *$/;
/** `*** (…)`: why TeX gave up. */
const whyItGaveUp = /^\*\*\* \((.*)\)$/;

/** The name by which TeX knows the source. */
const document = 'main.tex';

/**
 * Reads a log. Messages come in the order TeX wrote them; repeats are reported once.
 * @param source the document, if available: some messages can then be moved to the fault, instead of where TeX
 * noticed it.
 */
export function readLog(log: string, source?: string): LogMessage[] {
  const lines = log.replaceAll('\r\n', '\n').split('\n');
  const files = new FileStack();
  const messages: LogMessage[] = [];
  const text = source === undefined ? null : new SourceText(source);
  /** TeX often notices far after the fault: an empty line in a formula, an unpaired brace or dollar. */
  const atFault = (message: LogMessage, complaint: Complaint): LogMessage => {
    if (message.file !== document || messages.length >= maxSearched) return message;
    const shown = { ...complaint, shownLine: message.line };
    const find = (pattern: RegExp, finder: (complaint: Complaint, text: SourceText) => number | null) =>
      pattern.test(complaint.message) ? finder(shown, text!) : null;
    const line =
      find(meetsLua, findLuaLine) ??
      find(meetsBlankLine, findBlankLine) ??
      find(meetsBrace, findOpenBrace) ??
      find(meetsDelimiter, findDelimiterLine) ??
      find(meetsDollar, findDollarLine);
    return line === null ? message : { ...message, line };
  };
  const seen = new Set<string>();
  const seenErrors = new Set<string>();
  const complaints: (Complaint | undefined)[] = [];
  const add = (message: LogMessage, complaint?: Complaint) => {
    const key = `${message.level} ${message.file} ${message.line} ${complaint?.before ?? ''} ${message.message}`;
    if (seen.has(key) || messages.length >= maxMessages) return;
    seen.add(key);
    messages.push(message);
    complaints.push(complaint);
  };
  for (let index = 0; index < lines.length && messages.length < maxMessages; index++) {
    const line = lines[index]!;
    if (line === '') continue;
    const error = readErrorStart(lines, index, files.current);
    if (error) {
      const start = index;
      const body = readErrorBody(lines, index);
      index = body.lastIndex;
      const isAftermath = aftermath.test(error.message);
      const previous = messages.findLast((message) => message.level === 'error');
      if (isAftermath && previous) {
        // TeX gave up where the error before it, which names no line, left it
        if (previous.line === null && error.line !== null && previous.file === error.file)
          previous.line = error.line;
        continue;
      }
      const message = (isAftermath ? body.reason : '') || error.message + body.continuation;
      // an error in a loop is reported, located and fixed once
      const key = `${error.file} ${error.line ?? body.line} ${body.before} ${message}`;
      if (seenErrors.has(key) || seenErrors.size >= maxMessages) continue;
      seenErrors.add(key);
      const runaway = readRunaway(lines, start);
      const complaint: Complaint = {
        message,
        line: error.file === document ? (error.line ?? body.line) : null,
        before: body.before,
        breakPoint: body.breakPoint,
        context: body.context,
        runaway,
        shownLine: null,
      };
      const found: LogMessage = {
        level: 'error',
        file: error.file,
        line: error.line ?? body.line,
        message,
        ...(body.context ? { context: body.context } : {}),
        ...advise(complaint),
      };
      if (text === null) add(found, complaint);
      else add(atFault(locate({ message: found, runaway }, text, document), complaint), complaint);
      continue;
    }
    if (gaveUp.test(line)) {
      const last = messages.findLast((message) => message.level === 'error');
      const message = 'TeX gave up after 100 errors in one paragraph.';
      add({
        level: 'error',
        file: last?.file ?? null,
        line: last?.line ?? null,
        message,
        ...advise(only(message)),
      });
      continue;
    }
    const warning = warningStart.exec(line);
    if (warning) {
      const whole = readContinuation(lines, index, line);
      index = whole.lastIndex;
      const message = plainWarning(whole.text);
      // some packages write their text on lines of their own format
      if (message === '' || message.endsWith(':')) continue;
      const where = /on input line (\d+)/.exec(whole.text);
      const at = where ? Number(where[1]) : null;
      const key = `warning ${files.current} ${at} ${message}`;
      if (seenErrors.has(key) || seenErrors.size >= 2 * maxMessages) continue;
      seenErrors.add(key);
      const entry: LogMessage = {
        level: 'warning',
        file: files.current,
        line: at,
        message,
        ...advise(only(message)),
      };
      add(text === null ? entry : locate({ message: entry, runaway: '' }, text, document), {
        ...only(message),
        line: at,
      });
      continue;
    }
    const badBox = box.exec(line);
    if (badBox) {
      add({
        level: 'badbox',
        file: files.current,
        line: badBox[2] ? Number(badBox[2]) : null,
        message: badBox[1]!,
        ...advise(only(badBox[1]!)),
      });
      // the next line shows the box's content, whose parentheses are not files
      if (!/while \\output is active/.test(line)) index++;
      continue;
    }
    const missing = missingCharacter.exec(line);
    if (missing) {
      // without a font nothing is typeset; the error that says so came before
      if (missing[3] === 'nullfont') continue;
      const entry: LogMessage = {
        level: 'warning',
        file: files.current,
        line: null,
        message: line,
        ...advise(only(line)),
      };
      add(text === null ? entry : locate({ message: entry, runaway: '' }, text, document));
      continue;
    }
    files.read(line);
  }
  return messages.map((message, index) => {
    const shown = writeOut(message);
    const complaint = complaints[index];
    if (complaint) complaintOf.set(shown, { ...complaint, shownLine: message.line });
    return shown;
  });
}

/**
 * TeX's complaint behind each error, for the fixes that may be tried on it. Kept with the message only, never
 * sent.
 */
const complaintOf = new WeakMap<LogMessage, Complaint>();

/** How far TeX had read when it stopped: the line that it names, and how much of it was left. */
export function describePlace(message: LogMessage): { line: number | null; rest: number } {
  const complaint = complaintOf.get(message);
  if (!complaint) return { line: message.line, rest: 0 };
  return {
    line: complaint.line,
    rest: Math.max(0, complaint.context.length - complaint.before.trim().length),
  };
}

/** Edits that may make a message of `readLog` disappear, likeliest first. None is certain: each has to be tried. */
export function listFixes(message: LogMessage, source: string): LogFix[] {
  const complaint = complaintOf.get(message);
  if (!complaint || message.file !== document) return [];
  return proposeFixes(complaint, new SourceText(source), { isError: message.level === 'error' });
}

/** A warning without its place and without LaTeX's prefix: `hyperref: Token not allowed …`. */
function plainWarning(text: string): string {
  return text
    .replace(/^LaTeX\d? (?:Font )?[Ww]arning: /, '')
    .replace(/^(?:Package|Class|Module|LaTeX\d?) (\S+) [Ww]arning: /, '$1: ')
    .replace(/\s+on input line \d+/, '')
    .trim();
}

const only = (message: string): Complaint => ({
  message,
  line: null,
  before: '',
  breakPoint: '',
  context: '',
  runaway: '',
  shownLine: null,
});

function readErrorStart(lines: readonly string[], index: number, file: string | null) {
  const line = lines[index]!;
  const lua = readLuaError(lines, index);
  if (lua !== null) return { file: document, line: null, message: lua };
  const located = fileLineError.exec(line);
  if (located)
    return { file: withoutDot(located[1]!), line: Number(located[2]) || null, message: located[3]!.trim() };
  const bare = bareError.exec(line);
  // pdfTeX names itself, with its path on this machine
  const text = bare?.[1]?.trim().replace(/^(pdfTeX error: )\S*pdflatex /, '$1');
  return text === undefined ? null : { file, line: null, message: text };
}

interface ErrorBody {
  /** The rest of a message that continues on `(package)   …` lines, with a leading space. */
  continuation: string;
  line: number | null;
  context: string;
  /** What TeX had read when it stopped: its last token is usually the culprit. */
  breakPoint: string;
  /** The part of the source line that TeX had read. */
  before: string;
  /** `*** (…)`: why TeX gave up. */
  reason: string;
  lastIndex: number;
}

/** Reads what follows an error's first line, up to the `l.N` pair that shows the source. */
function readErrorBody(lines: string[], start: number): ErrorBody {
  const body: ErrorBody = {
    continuation: '',
    line: null,
    context: '',
    breakPoint: '',
    before: '',
    reason: '',
    lastIndex: start,
  };
  const end = Math.min(lines.length, start + 1 + contextWindow);
  for (let index = start + 1; index < end; index++) {
    const line = lines[index]!;
    if (fileLineError.test(line) || bareError.test(line)) break;
    const source = /^l\.(\d+) ?(.*)$/.exec(line);
    if (source) {
      body.line = Number(source[1]);
      const before = source[2]!;
      const after = lines[index + 1] ?? '';
      body.context = (before + (/^\s/.test(after) ? after.trimStart() : ''))
        .trim()
        .slice(0, maxContextLength);
      body.before = before;
      body.breakPoint ||= before;
      body.lastIndex = index + (/^\s/.test(after) ? 1 : 0);
      // if TeX had to give up, the reason is below
      body.reason = whyItGaveUp.exec(lines[body.lastIndex + 1] ?? '')?.[1] ?? '';
      return body;
    }
    const reason = whyItGaveUp.exec(line);
    if (reason) {
      body.reason = reason[1]!;
      body.lastIndex = index;
      return body;
    }
    const more = /^\([\w-]+\)\s{2,}(.*)$/.exec(line);
    if (more && body.breakPoint === '') body.continuation += ` ${more[1]!.trim()}`;
    else if (body.breakPoint === '' && /^(?:\\\S+ .*->|\\\S+->|<[\w ]+> )/.test(line)) body.breakPoint = line;
  }
  return body;
}

/** A runaway's text is on the lines before its error. */
function readRunaway(lines: string[], index: number): string {
  for (let back = index; back > Math.max(0, index - contextWindow); back--)
    if (/^Runaway (?:argument|definition|text|preamble)\?/.test(lines[back]!)) return lines[back + 1] ?? '';
  return '';
}

/** LaTeX continues on `(package)   …` lines, and ends most warnings with a full stop. */
function readContinuation(
  lines: string[],
  start: number,
  first: string,
): { text: string; lastIndex: number } {
  let text = first;
  let index = start;
  for (; index + 1 < lines.length && index < start + 10; index++) {
    const more = /^\([\w-]+(?: Font)?\)\s{2,}(.*)$/.exec(lines[index + 1]!);
    if (!more) break;
    text += ` ${more[1]!.trim()}`;
  }
  return { text, lastIndex: index };
}

/** Formats a quoted line as code. */
function writeOut(message: LogMessage): LogMessage {
  const { explanation, suggestion } = message;
  return {
    ...message,
    message: spellOutHidden(message.message),
    ...(message.context ? { context: spellOutHidden(message.context) } : {}),
    ...(explanation ? { explanation: spellOutHidden(explanation) } : {}),
    ...(suggestion ? { suggestion: spellOutHidden(suggestion) } : {}),
  };
}

/** Tracks which file TeX is reading, from the parentheses it writes around each. */
class FileStack {
  /** The enclosing file for each open parenthesis: searching a log that consists only of `(` would take hours. */
  readonly #stack: (string | null)[] = [];
  #root: string | null = null;

  get current(): string | null {
    return this.#stack.at(-1) ?? this.#root;
  }

  read(line: string): void {
    for (let at = 0; at < line.length; at++) {
      const char = line[at];
      if (char === ')') this.#stack.pop();
      if (char !== '(') continue;
      const opened = openedFile.exec(line.slice(at, at + 1_000));
      this.#stack.push(opened ? withoutDot(opened[1]!) : (this.#stack.at(-1) ?? null));
      if (!opened) continue;
      this.#root ??= withoutDot(opened[1]!);
      at += opened[0].length - 1;
    }
  }
}

function withoutDot(file: string): string {
  return file.replace(/^\.\//, '');
}
