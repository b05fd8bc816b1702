/** The files of a document as a tree, and which of them a text names. Pure. */
import { fileNamePattern, findNameClash, folderOf } from '#shared/api/file-name.ts';
import { isTextFile } from '../figures/figure-names.ts';

export interface TreeRow {
  kind: 'folder' | 'file';
  /** From the top, without a slash at its end. */
  path: string;
  /** Its last part. */
  label: string;
  /** Folders around it. */
  depth: number;
}

/** All rows of the tree, from the top: in each folder first its folders, then its files, by name. */
export function listRows(names: readonly string[], folder = '', depth = 0): TreeRow[] {
  const prefix = folder === '' ? '' : `${folder}/`;
  const inside = names.filter((name) => name.startsWith(prefix));
  const byName = (one: string, other: string) =>
    one.localeCompare(other, 'en', { numeric: true, sensitivity: 'base' });
  const folders = [
    ...new Set(
      inside.flatMap((name) => {
        const rest = name.slice(prefix.length);
        return rest.includes('/') ? [prefix + rest.slice(0, rest.indexOf('/'))] : [];
      }),
    ),
  ].sort(byName);
  const files = inside.filter((name) => folderOf(name) === folder).sort(byName);
  const toRow = (kind: TreeRow['kind'], path: string): TreeRow => ({
    kind,
    path,
    label: path.slice(prefix.length),
    depth,
  });
  return [
    ...folders.flatMap((path) => [toRow('folder', path), ...listRows(inside, path, depth + 1)]),
    ...files.map((path) => toRow('file', path)),
  ];
}

/** What is wrong with the name of a new text file, in words; null if nothing is. */
export function checkFileName(name: string, others: readonly string[]): string | null {
  if (name === '') return 'Give it a name, such as chapters/one.tex.';
  if (!fileNamePattern.test(name) || /^main(?:\.|$)/i.test(name))
    return 'Use unaccented letters, digits, dots, hyphens and underscores, with “/” after a folder.';
  if (!isTextFile(name))
    return 'End it with .tex, .bib, .sty or another extension of a text file that LaTeX reads.';
  return findNameClash([...others, name]) === null ? null : 'A file or folder with this name already exists.';
}

/** Commands that name files, with the endings that they add. */
const reference =
  /\\(?:input|include|subfile|includegraphics|bibliography|addbibresource|bibliographystyle|usepackage|RequirePackage|documentclass|LoadClass|lstinputlisting|verbatiminput|(?:sub)?import)\*?\s*(?:\[[^\]]{0,500}\]\s*)*\{([^{}]{1,500})\}(?:\{([^{}]{1,500})\})?/g;
const endings = ['', '.tex', '.bib', '.sty', '.cls', '.bst', '.png', '.jpg', '.jpeg', '.pdf'];

/**
 * The file named in a text at this place (UTF-16); null if it names none of these there.
 * @param folder of the file that the text is in: `\subfile` and `\subimport` are relative to it
 */
export function findFileAt(
  text: string,
  at: number,
  names: readonly string[],
  folder: string,
): string | null {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const newline = text.indexOf('\n', at);
  const line = text.slice(start, newline < 0 ? text.length : newline);
  for (const match of line.matchAll(reference)) {
    const from = start + match.index;
    if (at < from || at > from + match[0].length) continue;
    const [, first = '', second] = match;
    const named =
      second === undefined ? pickFromList(first, at - from - match[0].lastIndexOf(first)) : second;
    const folders = second === undefined ? ['', folder] : [first, `${folder}/${first}`];
    for (const place of folders)
      for (const ending of endings) {
        const path = tidy(`${place}/${named.trim()}${ending}`);
        if (names.includes(path)) return path;
      }
  }
  return null;
}

/** The item of a list with commas at this offset; the first if it is elsewhere. */
function pickFromList(list: string, at: number): string {
  const before = list.slice(0, Math.max(0, at)).split(',').length - 1;
  return list.split(',')[at > list.length ? 0 : before]!;
}

function tidy(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts.join('/');
}
