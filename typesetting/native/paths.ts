/** Where setup/install.sh puts what it builds from the C files in this folder. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** `warm.so`: library for warm engines; `jail`: the sandbox for machines without user namespaces. */
export type NativePart = 'warm.so' | 'jail';

/**
 * Relative to this file, not to the working directory: the server may be started anywhere. Not below build/,
 * which building the pages empties.
 */
const nativeFolder = new URL('../../.native/', import.meta.url);

/** Host path of a native part; null if it was not built (no compiler, or never installed by ./start). */
export function findNative(part: NativePart): string | null {
  const file = fileURLToPath(new URL(part, nativeFolder));
  return existsSync(file) ? file : null;
}
