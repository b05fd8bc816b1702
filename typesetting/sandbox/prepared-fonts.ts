/**
 * What LuaLaTeX knows of the fonts before it has read one: their names, and the glyphs of those that are used most. It is
 * made once where the product is installed (prepare-fonts.ts). A box reads it and writes what else it learns into its
 * job's own folder, so that no document leaves another anything.
 */
import { existsSync } from 'node:fs';
import { chown, copyFile, cp, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { makeReadable } from './make-readable.ts';

/** Seen from this file, beside the native parts: not below build/, which building the pages empties. */
export const preparedFonts = fileURLToPath(new URL('../../.native/fonts', import.meta.url));

/** Folder in our TeX tree, as boxes have it, with what was prepared. */
export const sharedFontCache = 'fonts';
/** Folder in a job's own for what its engine learns of fonts. */
export const ownFontCache = '.cache';

const namesFolder = 'luatex-cache/generic/names';

/** Copies it into the tree that boxes read; nothing where nothing was prepared: each job then learns for itself. */
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
