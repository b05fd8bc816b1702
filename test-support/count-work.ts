/**
 * For each test file: appends its cost, in CPU seconds, to the list requested by the runner of the checks
 * (`CHECKS_WORK`): of its process and every process that this one saw end, from the file's start to its end.
 * Only Linux reports the latter.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { afterAll, expect } from 'vitest';

const list = process.env.CHECKS_WORK;

/** CPU seconds used by this process and its ended children. */
function readWork(): number {
  try {
    // the name in brackets may contain spaces; the times are fields 14 to 17, in hundredths of a second
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  }
}

if (list) {
  const before = readWork();
  // hooks run in reverse order: this one after those of the file itself
  afterAll(() => {
    const file = path.relative(process.cwd(), expect.getState().testPath ?? '');
    appendFileSync(list, `${(readWork() - before).toFixed(2)} ${file}\n`);
  });
}
