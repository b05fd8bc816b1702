/** Makes our own files in the box readable for every job and writable for nobody. */
import { chmod, readdir } from 'node:fs/promises';
import path from 'node:path';

/**
 * The product's own user cannot even truncate a read-only file, an operation that Landlock before Linux 6.2
 * does not control.
 */
export async function makeReadable(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    await chmod(path.join(entry.parentPath, entry.name), entry.isDirectory() ? 0o755 : 0o444);
}
