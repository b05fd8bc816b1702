/** What is ours in the box: every job may read it, and nobody may write it. */
import { chmod, readdir } from 'node:fs/promises';
import path from 'node:path';

/** A read-only file cannot even be emptied by the product's own user, which Landlock before Linux 6.2 does not see. */
export async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chmod(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o444);
}
