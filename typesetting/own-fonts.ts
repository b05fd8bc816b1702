/** Which fonts there are for documents and watermarks: those that texmf/fonts.conf names, on every machine. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Path of the set-up for fontconfig; in the box it lies in our TeX tree. */
export const fontSetup = fileURLToPath(new URL('./texmf/fonts.conf', import.meta.url));

/** The folders it names. Not every one exists on every machine. */
export const fontFolders: readonly string[] = Array.from(
  readFileSync(fontSetup, 'utf8').matchAll(/<dir>(.*?)<\/dir>/g),
  ([, folder]) => folder!,
);
