import { ApiError, invalidInput } from '#platform/errors.ts';
import { type WorkLimits, WorkLost } from '#platform/work/work-limit.ts';
import { findPublisherMarks } from './copyright.ts';
import type { InspectedFile } from './page.ts';
import { localOwner } from './page-queue.ts';
import { createPagePool, type PagePool } from './pages/page-pool.ts';

/**
 * An inspection is quick, but a picture of 50 megapixels takes a second or two; with two processes, one slow file does
 * not delay all others.
 */
const inspectorProcesses = 2;
/** A PDF of 1,000 pages takes 0.2 s. */
const inspectLimits: WorkLimits = { cpuMs: 10_000 };

let inspectors: PagePool | undefined;

/**
 * Determines a file's type from its content, and whether it may be read. A picture is decoded; a PDF is opened without
 * rendering a page. Runs in separate processes.
 * @param path a local file
 * @param displayName used only in messages
 * @param owner in the queue, as returned by `queueOwner`
 * @throws ApiError INVALID_INPUT with a sentence that says what to do (empty, of another type, encrypted, damaged, cut
 * off, no pages, too many pixels), COPYRIGHTED_PDF for published material; WorkStarved
 */
export async function inspectFile(
  path: string,
  displayName: string,
  signal?: AbortSignal,
  owner = localOwner,
): Promise<InspectedFile> {
  inspectors ??= createPagePool({ size: inspectorProcesses, limits: inspectLimits });
  try {
    const found = await inspectors.run(
      { kind: 'identify', path, displayName },
      { owner, ...(signal ? { signal } : {}) },
    );
    if (found.kind === 'pdf' && (await findPublisherMarks(path, signal, owner)))
      throw new ApiError('COPYRIGHTED_PDF');
    return found;
  } catch (error) {
    if (!(error instanceof WorkLost)) throw error;
    throw invalidInput(
      `“${displayName}” needs more memory or time to open than one file may take. Export it again, simpler or smaller, and send the new file.`,
      error,
    );
  }
}
