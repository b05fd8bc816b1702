import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { fixtureFolder } from './fixtures.ts';

/**
 * A file of its own for one test. What is known of a path (that a process has it open, that its pages take too much)
 * is known to all tests of a worker.
 * @param name within the fixtures
 */
export async function copiedFixture(name: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'inkproof-fixture-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const copy = path.join(folder, path.basename(name));
  await copyFile(path.join(fixtureFolder, name), copy);
  return copy;
}
