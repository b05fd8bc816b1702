/**
 * The log: JSON lines to stdout and to DATA_DIR/logs. It never holds what people send, their addresses (mail or
 * network), cookies, or settings; only what happened, how long it took, and ids of ours.
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
  /** Ends the daily clean-up and closes the file. Lines written later go to stdout alone. */
  close(): void;
}

interface LoggerOptions {
  /** Where lines go besides the file. Default: stdout. */
  output?: { write(line: string): void };
}

/** Field names whose values never reach the log, at the first two levels, whoever logs them by mistake. */
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
      hooks: { logMethod: sayAbsencesRarely() },
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
 * Standard output. A file is written to directly: the stream of a file that had no room once is closed for good.
 * Lines that nothing takes are lost; they end nothing.
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

/** How often one line may say that a part is away: rounds and requests would fill the log with it. */
const absencePauseMs = 60_000;

function sayAbsencesRarely(): NonNullable<NonNullable<LoggerOptionsOfPino['hooks']>['logMethod']> {
  const saidAt = new Map<string, number>();
  return function (args, method) {
    const [fields, message] = args as unknown as [{ err?: unknown } | undefined, string | undefined];
    if (typeof message === 'string' && findAbsence(fields?.err) !== null) {
      const now = Date.now();
      if (now - (saidAt.get(message) ?? Number.NEGATIVE_INFINITY) < absencePauseMs) return;
      saidAt.set(message, now);
    }
    method.apply(this, args);
  };
}

/** What V8 and Node say of the program, in full: names of its own, never a value that it worked on. */
const safeMessage =
  /^(?:Cannot (?:read|set) properties of (?:undefined|null) \((?:reading|setting) '[\w$]{1,60}'\)|[\w$.#()[\]]{1,100} is not (?:a function|a constructor|iterable|defined)|Invalid (?:URL|array length|string length|time value)|Maximum call stack size exceeded|fetch failed|terminated)$/;

/**
 * What the log says of an error: class, code and stack frames. The message stays out unless it is one of those that
 * cannot carry content, because messages quote what they complain about: JSON.parse its text, Node an argument that it
 * refuses, Drizzle its parameters, PostgreSQL a row's values, TeX the line.
 */
export function describeErrorForLog(error: unknown): Record<string, unknown> {
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

/** The stack's frames without what stands before them, which repeats the message, a frame-like line in it included. */
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
