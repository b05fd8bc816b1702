/**
 * LuaLaTeX's font caches: the names of all fonts, and the glyphs of the most used ones. They are made once when
 * the product is installed (prepare-fonts.ts). A box reads them and writes what else it learns into its job's
 * own folder, so that no document leaves anything to another.
 */
import { existsSync } from 'node:fs';
import { chown, copyFile, cp, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeReadable } from './make-readable.ts';

/** Relative to this file, next to the native parts: not below build/, which building the pages empties. */
export const preparedFonts = fileURLToPath(new URL('../../.native/fonts', import.meta.url));

/** Folder of the prepared caches in our TeX tree, as seen by boxes. */
export const sharedFontCache = 'fonts';
/** Folder in a job's own for what its engine learns about fonts. */
export const ownFontCache = '.cache';

const namesFolder = 'luatex-cache/generic/names';

/** Copies the caches into the tree that boxes read; without any, each job learns for itself. */
export async function copyPreparedFonts(texmf: string): Promise<void> {
  if (!existsSync(preparedFonts)) return;
  const to = path.join(texmf, sharedFontCache);
  await cp(preparedFonts, to, { recursive: true });
  await makeReadable(to);
}

/** Gives a job its copy of the names: LuaLaTeX looks for those only where it may also write. */
export async function lendFontNames(texmf: string, folder: string, id: number | null): Promise<void> {
  const names = path.join(texmf, sharedFontCache, namesFolder);
  const made = [path.join(folder, ownFontCache)];
  for (const part of namesFolder.split('/')) made.push(path.join(made.at(-1)!, part));
  const place = made.at(-1)!;
  await mkdir(place, { recursive: true });
  for (const name of existsSync(names) ? await readdir(names) : []) {
    await copyFile(path.join(names, name), path.join(place, name));
    made.push(path.join(place, name));
  }
  if (id !== null) for (const one of made) await chown(one, id, id);
}
