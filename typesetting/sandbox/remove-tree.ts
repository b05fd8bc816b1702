/** Removes a folder that a job wrote into. */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Folders may be nested deeper than a path can express: rm descends step by step, Node uses whole paths. */
export async function removeTree(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENAMETOOLONG') throw error;
    await run('rm', ['-rf', '--', folder]);
  }
}
