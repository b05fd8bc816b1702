/** The fonts available to documents and watermarks: those named in texmf/fonts.conf, on every machine. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Path of fontconfig's configuration; in the box it is in our TeX tree. */
export const fontSetup = fileURLToPath(new URL('./texmf/fonts.conf', import.meta.url));

/** The folders it names. Not every one exists on every machine. */
export const fontFolders: readonly string[] = Array.from(
  readFileSync(fontSetup, 'utf8').matchAll(/<dir>(.*?)<\/dir>/g),
  ([, folder]) => folder!,
);
