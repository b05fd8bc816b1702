/** Finds the main document among an archive's files. */
import { scanLatex } from '#latex/source/scan.ts';
import { invalidInput } from '#platform/errors.ts';
import { folderOf } from '#shared/api/file-name.ts';

/** True if the text is a complete document: it has a class that is not commented out. */
export function isDocument(latex: string): boolean {
  return scanLatex(latex).some(
    (token) => token.kind === 'command' && /^documentclass|^documentstyle/.test(token.name),
  );
}

/** Classes of documents that are parts of others. */
const partClass = /\\documentclass\s*(?:\[[^\]]*\])?\s*\{\s*(?:subfiles|standalone)\s*\}/;
const rootLine = /^\s*%\s*!\s*TEX\s+root\s*=\s*(\S.*?)\s*$/im;

/** Common names of a project's main file, the most reliable first. */
const usualNames =
  /(?:^|\/)(main|thesis|dissertation|book|paper|article|manuscript|report|master|document|notes|slides|presentation|cv|resume)\.(?:la|l)?tex$/i;
const maxOthers = 20;

export interface Main {
  path: string;
  /** Paths of other possible main documents; empty if the archive makes it clear. */
  others: string[];
}

/**
 * @param sources path → text of every LaTeX file
 * @param wanted path of the document that the user chose, if any
 * @throws ApiError INVALID_INPUT if there is no document, or not the chosen one
 */
export function findMain(sources: ReadonlyMap<string, string>, wanted?: string): Main {
  const documents = [...sources.keys()].filter((path) => isDocument(sources.get(path)!));
  if (documents.length === 0)
    throw invalidInput('The archive has no LaTeX document: no .tex file in it has a \\documentclass.');
  if (wanted !== undefined) {
    if (documents.includes(wanted)) return { path: wanted, others: [] };
    throw invalidInput(`The archive has no document “${wanted.slice(0, 100)}”.`);
  }
  const named = new Set(
    [...sources].flatMap(([path, latex]) => {
      const root = rootLine.exec(latex.slice(0, 2000))?.[1];
      const target = root ? resolvePath(folderOf(path), root.replaceAll('\\', '/')) : null;
      return target && documents.includes(target) ? [target] : [];
    }),
  );
  const whole = documents.filter((path) => !partClass.test(sources.get(path)!));
  const included = new Set([...sources].flatMap(([path, latex]) => listInputs(path, latex)));
  const free = whole.filter((path) => !included.has(path));
  const choices = [[...named], free, whole, documents].find((list) => list.length > 0)!;
  const depth = Math.min(...choices.map(depthOf));
  const shallow = choices.filter((path) => depthOf(path) === depth);
  const sure =
    shallow.length === 1 ? shallow[0] : shallow.find((path) => /(^|\/)main\.(la)?tex$/i.test(path));
  if (sure) return { path: sure, others: [] };
  // a common name, else the longest text
  const rank = (path: string) => {
    const name = usualNames.exec(path)?.[1];
    return name ? usualNames.source.indexOf(name.toLowerCase()) : Number.POSITIVE_INFINITY;
  };
  const [path, ...others] = shallow.toSorted(
    (a, b) =>
      (rank(a) === rank(b) ? 0 : rank(a) - rank(b)) || sources.get(b)!.length - sources.get(a)!.length,
  );
  return { path: path!, others: others.slice(0, maxOthers) };
}

const depthOf = (path: string) => path.split('/').length;

function listInputs(path: string, latex: string): string[] {
  return [...latex.matchAll(/\\(?:input|include|subfile)\s*\{\s*([^{}]+?)\s*\}/g)].flatMap(([, name]) =>
    [name!, `${name}.tex`].flatMap((one) => [resolvePath(folderOf(path), one) ?? '', one]),
  );
}

/** Resolves `name` from `folder` within the archive; null if it leads out of it. */
export function resolvePath(folder: string, name: string): string | null {
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of name.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') {
      if (parts.pop() === undefined) return null;
    } else parts.push(part);
  }
  return parts.join('/');
}
