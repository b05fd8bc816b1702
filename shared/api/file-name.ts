/**
 * Names of a document's files: as the LaTeX names them, in folders or not. Up to six parts of ASCII letters, digits and
 * `.`, `_`, `-`, each at most 100 characters long and beginning with a letter, a digit or `_`; 200 characters in all.
 */
export const fileNamePattern =
  /^(?=.{1,200}$)(?:[A-Za-z0-9_][A-Za-z0-9._-]{0,99}\/){0,5}[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/;

/** The folder that contains a file, without a trailing slash; empty at the top. */
export function folderOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('/')));
}

/** All folders that contain these files, outer ones first. */
export function listFolders(names: Iterable<string>): string[] {
  const folders = new Set<string>();
  for (const name of names)
    for (let folder = folderOf(name); folder !== ''; folder = folderOf(folder)) folders.add(folder);
  return [...folders].sort();
}

/**
 * The first name that clashes with another: a duplicate, one that differs in case only
 * (most file systems would keep one of the two), or the folder of another. Null if there is none.
 */
export function findNameClash(names: Iterable<string>): string | null {
  const taken = new Set<string>();
  const all = [...names];
  const folders = new Set(listFolders(all).map((folder) => folder.toLowerCase()));
  for (const name of all) {
    const key = name.toLowerCase();
    if (taken.has(key) || folders.has(key)) return name;
    taken.add(key);
  }
  return null;
}
