/**
 * Names of a document's files: as the LaTeX names them, in folders or not. Up to six parts of ASCII letters, digits and
 * `.`, `_`, `-`, each beginning with none but a letter, a digit or `_` and at most 100 characters long; 200 characters in all.
 */
export const fileNamePattern =
  /^(?=.{1,200}$)(?:[A-Za-z0-9_][A-Za-z0-9._-]{0,99}\/){0,5}[A-Za-z0-9_][A-Za-z0-9._-]{0,99}$/;

/** The folder that a file lies in, without a slash at its end; empty at the top. */
export function folderOf(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('/')));
}

/** All folders that these files lie in, the outer ones first. */
export function listFolders(names: Iterable<string>): string[] {
  const folders = new Set<string>();
  for (const name of names)
    for (let folder = folderOf(name); folder !== ''; folder = folderOf(folder)) folders.add(folder);
  return [...folders].sort();
}

/**
 * The first name that cannot be there together with the others: given twice, differing from another in capitals only
 * (most computers would keep one of the two), or the folder of another. Null if there is none.
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
