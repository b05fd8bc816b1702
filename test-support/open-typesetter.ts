import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';
import { createTypesetter, type Typesetter } from '#typesetting/index.ts';

/**
 * A typesetter for the tests of a file, and a folder for what they write. Both are gone after them.
 * @throws Error if nothing can compile here
 */
export async function openTypesetter(
  options: Partial<Parameters<typeof createTypesetter>[0]> = {},
): Promise<{ typesetter: Typesetter; folder: string }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'inkproof-tests-'));
  // another user runs TeX in there
  chmodSync(folder, 0o755);
  const typesetter = await createTypesetter({ workDir: path.join(folder, 'jobs'), ...options });
  afterAll(async () => {
    await typesetter.close();
    rmSync(folder, { recursive: true, force: true });
  });
  if (typesetter.refusal !== null) throw new Error(`no typesetter here: ${typesetter.refusal}`);
  return { typesetter, folder };
}
