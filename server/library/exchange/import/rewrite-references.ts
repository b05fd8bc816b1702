/** Rewrites a document's references to files that are kept under another name. */
import { readGroup } from '#latex/source/matches.ts';
import { readCommand } from '#latex/source/read-commands.ts';
import { scanLatex, type Token } from '#latex/source/scan.ts';
import { applySplices, type Splice } from '#latex/source/splice.ts';
import type { FileNames } from './file-names.ts';
import { resolvePath } from './find-main.ts';

/** Commands whose argument is a file, and the extensions that they try, in order. */
const fileCommands: Record<string, readonly string[]> = {
  includegraphics: [
    '',
    '.pdf',
    '.png',
    '.jpg',
    '.jpeg',
    '.eps',
    '.PDF',
    '.PNG',
    '.JPG',
    '.JPEG',
    '.mps',
    '.ps',
  ],
  includepdf: ['', '.pdf'],
  includesvg: ['', '.svg'],
  lstinputlisting: [''],
  verbatiminput: [''],
  VerbatimInput: [''],
  inputminted: [''],
  addbibresource: [''],
  input: ['', '.tex'],
  include: ['.tex'],
};
/** Commands whose argument is a list of files, and their extension; most of these come with the distribution. */
const listCommands: Record<string, string> = {
  bibliography: '.bib',
  bibliographystyle: '.bst',
  usepackage: '.sty',
  RequirePackage: '.sty',
  documentclass: '.cls',
  LoadClass: '.cls',
};
/** Files that are referred to by their names alone. */
const supportFile = /\.(sty|cls|clo|def|bib|bst|bbx|cbx|ldf|lbx|ist)$/i;

interface Context {
  files: ReadonlyMap<string, Uint8Array>;
  /** Folder of the main document: TeX resolves all paths from there. */
  folder: string;
  /** Folder of this text, if it is a part that names files from there (`\import`, `\subfile`). */
  partFolder?: string;
  /** Folders where all texts of the project look for pictures (`\graphicspath`): one sets it, another relies on it. */
  graphicFolders?: readonly string[];
  names: FileNames;
}

export interface Rewritten {
  latex: string;
  /** Paths of the files that the document uses. */
  used: ReadonlySet<string>;
  /** References without a file, as written. */
  missing: string[];
}

export function rewriteReferences(latex: string, context: Context): Rewritten {
  const tokens = scanLatex(latex);
  const used = new Set<string>();
  const missing = new Set<string>();
  // a place may be found twice (as a path and as a command's argument): the first change counts
  const changes: Splice[] = [];
  const graphicFolders = context.graphicFolders ?? listGraphicFolders(latex, context.folder, tokens);
  const known = knownPaths(context);

  const claim = (path: string, written: string): string => {
    used.add(path);
    // a path out of the main file's folder is invalid once that folder is the top
    const isOutside = resolvePath('', written.trim().replaceAll('\\', '/')) === null;
    return context.names.keeps(path) && !isOutside ? written : context.names.nameOf(path);
  };
  const folders = [context.folder, context.partFolder ?? context.folder];
  const find = (name: string, endings: readonly string[], folders: readonly string[]): string | null => {
    const bare = name.trim().replaceAll('"', '').replaceAll('\\', '/');
    for (const folder of folders)
      for (const ending of endings) {
        const path = resolvePath(folder, bare + ending);
        if (path !== null && context.files.has(path)) return path;
      }
    return null;
  };

  tokens.forEach((token, index) => {
    if (token.kind === 'open') {
      const group = readGroup(tokens, index)!;
      if (!group) return;
      const written = latex.slice(group.start, group.end);
      const path = known.get(written.trim().replace(/^\.\//, ''));
      // a complete path in braces is a reference, whatever its command
      if (path && group.end - group.start < 320)
        changes.push({ start: group.start, end: group.end, text: claim(path, written) });
      return;
    }
    if (token.kind !== 'command') return;
    const name = token.name.replace('*', '');
    const endings = Object.hasOwn(fileCommands, name) ? fileCommands[name]! : null;
    const listEnding = Object.hasOwn(listCommands, name) ? listCommands[name]! : null;
    if (!endings && listEnding === null) return;
    const group = argumentOf(tokens, index, name);
    if (!group) return;
    const written = latex.slice(group.start, group.end);
    if (/[\\#]/.test(written)) return;
    if (endings) {
      const path = find(written, endings, [...folders, ...graphicFolders]);
      if (path) changes.push({ start: group.start, end: group.end, text: claim(path, written) });
      else missing.add(written.trim());
      return;
    }
    const renamed = written.split(',').map((one) => {
      const path = find(one, [listEnding!, ''], folders);
      if (!path) {
        if (one.includes('/') || listEnding === '.bib') missing.add(one.trim());
        return one;
      }
      const name = claim(path, one);
      return name === one ? one : name.slice(0, -listEnding!.length);
    });
    changes.push({ start: group.start, end: group.end, text: renamed.join(',') });
  });
  for (const path of context.files.keys()) if (supportFile.test(path)) used.add(path);
  return { latex: applySplices(latex, changes).text, used, missing: [...missing] };
}

/** Every file by its path from the archive's root and from the document's folder. A name without a folder is not enough. */
function knownPaths({ files, folder }: Context): Map<string, string> {
  const known = new Map<string, string>();
  const prefix = folder === '' ? '' : `${folder}/`;
  for (const path of files.keys()) {
    if (path.includes('/')) known.set(path, path);
    if (path.startsWith(prefix) && /\.[A-Za-z0-9]{2,5}$/.test(path))
      known.set(path.slice(prefix.length), path);
  }
  return known;
}

function argumentOf(tokens: readonly Token[], index: number, name: string) {
  const first = readCommand(tokens, index).argument;
  if (name !== 'inputminted' || !first) return first;
  return readGroup(tokens, first.close + 1);
}

/** @param folder of the main document */
export function listGraphicFolders(
  latex: string,
  folder: string,
  tokens: readonly Token[] = scanLatex(latex),
): string[] {
  return tokens.flatMap((token, index) => {
    const group =
      token.kind === 'command' && token.name === 'graphicspath' ? readGroup(tokens, index + 1) : null;
    if (!group) return [];
    return [...latex.slice(group.start, group.end).matchAll(/\{([^{}]*)\}/g)].flatMap(([, name]) => {
      const path = resolvePath(folder, name!.trim());
      return path === null ? [] : [path];
    });
  });
}
