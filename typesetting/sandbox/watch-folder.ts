/** Checks ten times a second whether a folder that a document writes into grows beyond what a job may use. */
import { measureFolder } from './job-folder.ts';

/** A job's folder holds a dozen files; documents with separate figures and listings reach some hundred. */
const maxFilesInFolder = 600;
const maxFolderBytes = 200_000_000;
// 80,000 tiny files take 8 s (measured): at this rate a flood is seen after some hundred
const watchIntervalMs = 100;

/**
 * Calls `onFlood`, perhaps more than once, while the folder, including subfolders, holds too many files or
 * bytes. The watch belongs to one run: give its run folder, or the engine's whole folder. Returns a function
 * that ends the watch.
 */
export function watchFolder(folder: string, onFlood: (what: 'files' | 'bytes') => void): () => void {
  let isMeasuring = false;
  let isOver = false;
  const watcher = setInterval(async () => {
    if (isMeasuring) return;
    isMeasuring = true;
    const size = await measureFolder(folder, maxFilesInFolder).catch(() => null);
    isMeasuring = false;
    if (isOver || !size) return;
    if (size.files >= maxFilesInFolder) onFlood('files');
    else if (size.bytes > maxFolderBytes) onFlood('bytes');
  }, watchIntervalMs);
  return () => {
    isOver = true;
    clearInterval(watcher);
  };
}
