/** The files listed in a SyncTeX file, each with a number, its tag, and the name that the engine saw. */

/** Files that LaTeX writes and reads back, which nobody edits. */
const auxiliary = /\.(?:aux|toc|lof|lot|lol|out|bbl|ind|gls|nav|snm|vrb|loe|tdo|xref|w18)$/i;

export interface SourceFiles {
  /** The file's name in the document; undefined for an unknown tag. */
  nameOf(tag: number): string | undefined;
  /** Empty if the engine never opened the file. */
  tagsOf(file: string): readonly number[];
  /** True for a file of the document that somebody edits. */
  isOwn(tag: number): boolean;
  /** Names of the document's own files with a tag that passes. */
  listOwn(passes: (tag: number) => boolean): string[];
}

/** @param written tags with their names, the main file first */
export function listSourceFiles(written: ReadonlyMap<number, string>): SourceFiles {
  const names = new Map<number, string>();
  const tags = new Map<string, number[]>();
  const own = new Set<number>();
  const root = folderOf(tidy(written.get(1) ?? written.values().next().value ?? ''));
  for (const [tag, asWritten] of written) {
    const whole = tidy(asWritten);
    const name = root !== '' && whole.startsWith(root) ? whole.slice(root.length) : whole;
    names.set(tag, name);
    tags.set(name, [...(tags.get(name) ?? []), tag]);
    if (!name.startsWith('/') && !auxiliary.test(name)) own.add(tag);
  }
  return {
    nameOf: (tag) => names.get(tag),
    tagsOf(file) {
      const name = tidy(file);
      return tags.get(name) ?? tags.get(name.replace(/^\/work\//, '')) ?? tags.get(`${name}.tex`) ?? [];
    },
    isOwn: (tag) => own.has(tag),
    listOwn: (passes) =>
      [...tags].filter(([, all]) => all.some((tag) => own.has(tag) && passes(tag))).map(([name]) => name),
  };
}

/**
 * `./main.tex` and `/work/./main.tex` → `main.tex`: engines prefix local files with the folder they were started in,
 * which may differ from the one they run in.
 */
function tidy(name: string): string {
  return name
    .replaceAll('\\', '/')
    .replace(/^\/.*\/\.\//, '')
    .replace(/\/(?:\.?\/)+/g, '/')
    .replace(/^(?:\.\/)+/, '');
}

function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf('/') + 1);
}
