/** The files that a SyncTeX file speaks of: it calls each by a number, its tag, and by a name as the engine saw it. */

/** What LaTeX writes and reads back: nobody edits it. */
const auxiliary = /\.(?:aux|toc|lof|lot|lol|out|bbl|ind|gls|nav|snm|vrb|loe|tdo|xref|w18)$/i;

export interface SourceFiles {
  /** As the document names it; undefined for a tag that no file has. */
  nameOf(tag: number): string | undefined;
  /** Empty for a file that the engine never opened. */
  tagsOf(file: string): readonly number[];
  /** True for a file of the document that a person edits. */
  isOwn(tag: number): boolean;
  /** Names of those own files of which some tag passes. */
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
 * `./main.tex` → `main.tex`, and so `/work/./main.tex`: engines put the folder they were started in before the names of
 * local files, which need not be the one they run in.
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
