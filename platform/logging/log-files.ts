/** Log files: one per day (UTC), kept 14 days. */
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, statSync, writeSync } from 'node:fs';
import path from 'node:path';

/** Days a log file is kept after its own day has passed (specification, section 9: "Logs kept 14 days"). */
const logRetentionDays = 14;
const dayMs = 24 * 60 * 60_000;

/** E.g. `inkproof-2026-03-01.log`: the name contains the day, so that age does not depend on when a copy was made. */
const logFileName = (day: string) => `inkproof-${day}.log`;
const datedLog = /-(\d{4}-\d{2}-\d{2})\.log$/;

export interface LogFiles {
  write(line: string): void;
  close(): void;
}

/**
 * Appends lines to the day's file in `folder`. Several processes may write to one folder: a line is one append.
 * On the first line of a day, files of days more than 14 days past are removed. On a full or read-only disk
 * lines are lost here; they still go to stdout.
 */
export function openLogFiles(folder: string, now: () => number = Date.now): LogFiles {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let day = '';
  let file: number | null = null;
  const close = () => {
    if (file !== null) closeSync(file);
    file = null;
  };
  return {
    write(line) {
      try {
        const today = new Date(now()).toISOString().slice(0, 10);
        if (today !== day) {
          close();
          file = openSync(path.join(folder, logFileName(today)), 'a', 0o600);
          day = today;
          removeOldLogs(folder, now());
        }
        if (file !== null) writeSync(file, line);
      } catch {
        // stdout has the line
      }
    },
    close,
  };
}

/** Removes the dated log files in `folder` whose day is more than 14 days past. Files with other names stay. */
export function removeOldLogs(folder: string, nowMs: number): void {
  const oldest = new Date(nowMs - logRetentionDays * dayMs).toISOString().slice(0, 10);
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return;
  }
  for (const name of names) {
    const day = datedLog.exec(name)?.[1];
    if (day === undefined || day >= oldest) continue;
    const file = path.join(folder, name);
    if (statSync(file, { throwIfNoEntry: false })?.isFile()) rmSync(file, { force: true });
  }
}
