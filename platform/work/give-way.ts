/** Work on files gives way to what answers people: the server, the database, a browser on the same machine. */
import { writeFileSync } from 'node:fs';
import os from 'node:os';

/** A third of the share that a process of normal priority gets while all processors are busy. */
const niceness = 5;

/** @param pid of a process just started, which leads a session; the processes it starts give way, too */
export function giveWay(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    os.setPriority(pid, niceness);
    // where Linux divides the processors among sessions first, the priority above counts only within one
    writeFileSync(`/proc/${pid}/autogroup`, String(niceness));
  } catch {
    // it has ended, or this system divides them otherwise
  }
}
