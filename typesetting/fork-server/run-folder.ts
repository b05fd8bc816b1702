/** The folders of an engine's runs: a new one for each, inside the folder that the engine's box shows as its own. */
import { chownSync, mkdirSync } from 'node:fs';
import { link, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { hashAsset } from '../engines/hash-asset.ts';
import {
  documentName,
  isPlaceableName,
  type JobFolder,
  makeFolders,
  placeable,
  writeJobFile,
} from '../sandbox/job-folder.ts';
import { removeTree } from '../sandbox/remove-tree.ts';
import type { Asset } from '../typesetter.ts';
import type { PassInputs } from './inputs.ts';

/**
 * Makes a run's folder with the document, its assets and the auxiliary files. Files that TeX made before belong
 * to the engine's id, which may overwrite them; document and assets do not.
 * @param store where the engine's assets are kept, outside its box: they are hard-linked, and a linked file is
 * never
 *   written in place (native/warm.c creates every file anew).
 */
export async function createRunFolder(
  folder: string,
  id: number | null,
  { source, assets, aux }: PassInputs,
  store: AssetStore,
): Promise<JobFolder> {
  mkdirSync(folder, { mode: 0o700 });
  await store.trim();
  const inputs = new Set([documentName, ...assets.map(({ name }) => name)]);
  const writeAux = async ([name, bytes]: [string, Buffer]) => {
    // a link or a second name cannot be here: the folder was made a moment ago and is still ours
    await writeJobFile(folder, name, bytes);
    if (id !== null) chownSync(path.join(folder, name), id, id);
  };
  makeFolders(folder, id, inputs);
  await Promise.all([
    writeJobFile(folder, documentName, source),
    ...assets.map((asset) => store.place(asset, folder)),
    // a figure may have the name of a file that an earlier text wrote
    ...placeable(aux, inputs).map(writeAux),
  ]);
  if (id !== null) chownSync(folder, id, id);
  return { path: folder, inputs, remove: () => removeFolder(folder) };
}

/** A folder for the output of a run's copy or the driver, with only these assets in it. */
export async function createSideFolder(
  folder: string,
  id: number | null,
  assets: readonly Asset[] = [],
  store?: AssetStore,
): Promise<void> {
  mkdirSync(folder, { mode: 0o700 });
  const names = assets.map(({ name }) => name);
  makeFolders(folder, id, names);
  await Promise.all(assets.map((asset) => store?.place(asset, folder)));
  if (id !== null) chownSync(folder, id, id);
}

export function removeFolder(folder: string): Promise<void> {
  return removeTree(folder);
}

/** Limit of an engine's stored assets: figures that are edited again and again would fill the disk. */
const maxStoredBytes = 64_000_000;

/** An engine's assets, each content once. */
export class AssetStore {
  readonly #folder: string;
  #sizeBytes = 0;
  readonly #stored = new Map<string, Promise<string>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Forgets all if they have become too many; current runs keep theirs. Not while any are being placed. */
  async trim(): Promise<void> {
    if (this.#sizeBytes <= maxStoredBytes) return;
    await removeFolder(this.#folder);
    this.#stored.clear();
    this.#sizeBytes = 0;
  }

  async place(asset: Asset, folder: string): Promise<void> {
    if (!isPlaceableName(asset.name)) throw new Error('an asset needs a plain file name');
    const hash = hashAsset(asset.bytes);
    let stored = this.#stored.get(hash);
    if (!stored) {
      stored = this.#write(path.join(this.#folder, String(this.#stored.size)), asset.bytes);
      this.#stored.set(hash, stored);
      this.#sizeBytes += asset.bytes.length;
    }
    await link(await stored, path.join(folder, asset.name));
  }

  async #write(file: string, bytes: Uint8Array): Promise<string> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await writeFile(file, bytes, { flag: 'wx', mode: 0o644 });
    return file;
  }
}
