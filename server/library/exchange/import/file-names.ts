/** Names for an archive's files: their own, if TeX and every file system can read them. */
import { folderOf, listFolders } from '#shared/api/file-name.ts';
import { isSafeAssetName } from '#typesetting/index.ts';

/** Assigns each path a unique name, the same each time. */
export class FileNames {
  readonly #folder: string;
  readonly #names = new Map<string, string>();
  /** Names of files and of folders, in lower case: they must not clash on file systems that ignore case. */
  readonly #files = new Set<string>();
  readonly #folders = new Set<string>();

  /** @param folder of the main document, from which TeX reads all others */
  constructor(folder: string) {
    this.#folder = folder;
  }

  nameOf(path: string): string {
    const known = this.#names.get(path);
    if (known !== undefined) return known;
    const own = this.#fromFolder(path);
    const name = [own, plainPath(own)].find((one) => this.#isFree(one)) ?? this.#numbered(own);
    this.#names.set(path, name);
    this.#files.add(name.toLowerCase());
    for (const folder of listFolders([name])) this.#folders.add(folder.toLowerCase());
    return name;
  }

  /** True if TeX finds the file under its path in the archive: references to it stay unchanged. */
  keeps(path: string): boolean {
    const isInside = this.#folder === '' || path.startsWith(`${this.#folder}/`);
    return isInside && this.nameOf(path) === this.#fromFolder(path);
  }

  #fromFolder(path: string): string {
    return this.#folder !== '' && path.startsWith(`${this.#folder}/`)
      ? path.slice(this.#folder.length + 1)
      : path;
  }

  #isFree(name: string): boolean {
    const key = name.toLowerCase();
    return (
      isSafeAssetName(name) &&
      !this.#files.has(key) &&
      !this.#folders.has(key) &&
      !listFolders([key]).some((folder) => this.#files.has(folder))
    );
  }

  #numbered(path: string): string {
    const dot = path.lastIndexOf('.');
    const [stem, ending] = dot > path.lastIndexOf('/') ? [path.slice(0, dot), path.slice(dot)] : [path, ''];
    for (let number = 1; ; number++) {
      const name = plainPath(`${stem}-${number}${ending}`);
      if (this.#isFree(name)) return name;
      // too deep, or a folder with a file's name: at the top
      if (number > 3 && path.includes('/')) return this.#numbered(path.replaceAll('/', '-'));
    }
  }
}

/** Letters, digits, `-`, `_` in each part; accents are removed, anything else becomes `-`. */
function plainPath(path: string): string {
  const folder = folderOf(path);
  const file = path.slice(path.lastIndexOf('/') + 1);
  const dot = file.lastIndexOf('.');
  const [stem, ending] = dot > 0 ? [file.slice(0, dot), file.slice(dot)] : [file, ''];
  const folders = folder === '' ? [] : folder.split('/').map((part) => plain(part) || 'folder');
  // a dot in the stem confuses graphicx
  const base = plain(stem) || 'figure';
  const safe = folders.length === 0 && /^main$/i.test(base) ? `${base}-1` : base;
  return [...folders, `${safe}${ending ? `.${plain(ending).slice(0, 10)}` : ''}`].join('/');
}

function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_]+/g, '-')
    .replace(/^[-_]+|-+$/g, '')
    .slice(-60)
    .replace(/^[-_]+/, '');
}
