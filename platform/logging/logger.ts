/**
 * The log: JSON lines to stdout and to DATA_DIR/logs. It never contains what people send, their addresses (mail
 * or network), cookies, or settings; only what happened, how long it took, and our ids.
 */
import { fstatSync, writeSync } from 'node:fs';
import path from 'node:path';
import { type Logger, type LoggerOptions as LoggerOptionsOfPino, multistream, pino } from 'pino';
import { findAbsence } from '../absence.ts';
import { type Env, settingNames } from '../env.ts';
import { ApiError } from '../errors.ts';
import { type LogFiles, openLogFiles, removeOldLogs } from './log-files.ts';

export interface OpenedLogger {
  logger: Logger;
  /** Removes old dated log files from another folder too (PostgreSQL's own), now and every hour. */
  keepClean(folder: string): void;
  /** Ends the clean-up and closes the file. Lines written later go to stdout alone. */
  close(): void;
}

interface LoggerOptions {
  /** Where lines go in addition to the file. Default: stdout. */
  output?: { write(line: string): void };
}

/** Field names whose values never reach the log, at the first two levels, even if logged by mistake. */
const redactedFields = [
  'latex',
  'feedback',
  'text',
  'body',
  'content',
  'prompt',
  'filename',
  'fileName',
  'displayName',
  'name',
  'title',
  'email',
  'ip',
  'address',
  'remoteAddress',
  'cookie',
  'cookies',
  'authorization',
  'headers',
  'url',
  'query',
  'password',
  'secret',
  'token',
  'apiKey',
  ...settingNames,
];

const hourMs = 60 * 60_000;

/** Opens the log of this process. */
export function openLogger(
  env: Pick<Env, 'DATA_DIR' | 'LOG_LEVEL'>,
  options: LoggerOptions = {},
): OpenedLogger {
  const folder = path.join(env.DATA_DIR, 'logs');
  const files: LogFiles = openLogFiles(folder);
  const logger = pino(
    {
      level: env.LOG_LEVEL,
      base: { pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeErrorForLog, error: describeErrorForLog },
      hooks: { logMethod: limitAbsenceLines() },
      redact: { paths: redactedFields.flatMap((field) => [field, `*.${field}`]), censor: '[not logged]' },
    },
    multistream([
      { stream: options.output ?? openStdout(), level: 'trace' },
      { stream: { write: (line: string) => files.write(line) }, level: 'trace' },
    ]),
  );
  const folders: string[] = [];
  const keepClean = (added: string) => {
    folders.push(added);
    removeOldLogs(added, Date.now());
  };
  keepClean(folder);
  const timer = setInterval(() => {
    for (const each of folders) removeOldLogs(each, Date.now());
  }, hourMs).unref();
  return {
    logger,
    keepClean,
    close() {
      clearInterval(timer);
      files.close();
    },
  };
}

/**
 * Standard output. A file is written to directly: a stream whose file once had no space is closed for good.
 * Lines that cannot be written are lost without further effect.
 */
function openStdout(): { write(line: string): void } {
  for (const stream of [process.stdout, process.stderr])
    if (stream.listenerCount('error') === 0) stream.on('error', () => {});
  if (!isFile(1)) return process.stdout;
  return {
    write(line) {
      try {
        writeSync(1, line);
      } catch {
        // DATA_DIR/logs may have the line
      }
    },
  };
}

function isFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile();
  } catch {
    return false;
  }
}

/**
 * How often the same message may report that a part is unavailable: periodic work and requests would fill the
 * log with it.
 */
const absencePauseMs = 60_000;

function limitAbsenceLines(): NonNullable<NonNullable<LoggerOptionsOfPino['hooks']>['logMethod']> {
  const loggedAt = new Map<string, number>();
  return function (args, method) {
    const [fields, message] = args as unknown as [{ err?: unknown } | undefined, string | undefined];
    if (typeof message === 'string' && findAbsence(fields?.err) !== null) {
      const now = Date.now();
      if (now - (loggedAt.get(message) ?? Number.NEGATIVE_INFINITY) < absencePauseMs) return;
      loggedAt.set(message, now);
    }
    method.apply(this, args);
  };
}

/** Messages of V8 and Node about the program itself, in full: they contain its own names, never a value. */
const safeMessage =
  /^(?:Cannot (?:read|set) properties of (?:undefined|null) \((?:reading|setting) '[\w$]{1,60}'\)|[\w$.#()[\]]{1,100} is not (?:a function|a constructor|iterable|defined)|Invalid (?:URL|array length|string length|time value)|Maximum call stack size exceeded|fetch failed|terminated)$/;

/**
 * What the log says about an error: class, code and stack frames. The message is omitted unless it cannot carry
 * content, because messages quote their cause: JSON.parse its text, Node an invalid argument, Drizzle its
 * parameters, PostgreSQL a row's values, TeX the line.
 */
function describeErrorForLog(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, syscall, table, constraint, routine } = error as Error & Record<string, unknown>;
  const described: Record<string, unknown> = { type: error.constructor.name };
  if (typeof code === 'string') described.code = code;
  if (safeMessage.test(error.message)) described.message = error.message;
  for (const [field, value] of Object.entries({ syscall, table, constraint, routine })) {
    if (typeof value === 'string') described[field] = value;
  }
  if (!(error instanceof ApiError)) described.stack = listFrames(error);
  if (error.cause !== undefined) described.cause = describeErrorForLog(error.cause);
  return described;
}

/**
 * The stack's frames without the text before them, which repeats the message, even if that contains a line that
 * looks like a frame.
 */
function listFrames(error: Error): string[] {
  const { stack = '', message } = error;
  const begin = message && stack.includes(message) ? stack.indexOf(message) + message.length : 0;
  const lines = stack.slice(begin).split('\n');
  const isFrame = (line: string) => /^\s+at .*(:\d+:\d+\)?|\(native\)|<anonymous>\)?)$/.test(line);
  const first = lines.findLastIndex((line) => line.trim() !== '' && !isFrame(line)) + 1;
  return lines
    .slice(first)
    .filter(isFrame)
    .slice(0, 12)
    .map((line) => line.trim());
}
