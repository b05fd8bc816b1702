/** Merges a document's files into its text where they are input, for readers of a single text. */

import { readGroup } from '#latex/source/matches.ts';
import { scanLatex, type Token } from '#latex/source/scan.ts';
import { invalidInput } from '#platform/errors.ts';
import { folderOf } from '#shared/api/file-name.ts';
import { maxLatexLength } from '#shared/api/limits.ts';
import { resolvePath } from './import/find-main.ts';

/** TeX itself stops at 15 open files. */
const maxDepth = 15;
const maxParts = 1000;

/**
 * @param readPart returns a file's text; null if it is missing or not LaTeX
 * @throws ApiError INVALID_INPUT for parts that input each other, or too many
 */
export function joinSources(main: string, readPart: (path: string) => string | null): string {
  const root = folderOf(main);
  let parts = 0;
  let length = 0;

  function join(path: string, folder: string, open: readonly string[]): string {
    if (open.includes(path)) throw invalidInput(`“${path}” inputs itself.`);
    if (open.length >= maxDepth || ++parts > maxParts)
      throw invalidInput('The document has too many nested \\input files.');
    const text = cutAtEndinput(open.length === 0 ? readPart(path)! : innerPart(readPart(path)!));
    length += text.length;
    if (length > maxLatexLength)
      throw invalidInput(`The document is longer than ${maxLatexLength.toLocaleString('en')} characters.`);
    const tokens = scanLatex(text);
    const pieces: string[] = [];
    let copiedTo = 0;
    tokens.forEach((token, index) => {
      if (token.kind !== 'command' || token.start < copiedTo) return;
      const call = readCall(text, tokens, index);
      if (!call) return;
      if (call.name === 'includeonly') {
        pieces.push(text.slice(copiedTo, token.start));
        copiedTo = call.end;
        return;
      }
      const inner =
        call.folder === null ? folder : (resolvePath(call.isFromHere ? folder : root, call.folder) ?? '');
      const found = findPart(call.target, [inner, folderOf(path), root], readPart);
      if (!found) return;
      const part = join(found, inner, [...open, path]).replace(/\n+$/, '');
      const isPage = call.name === 'include';
      // a comment at the end of the part must not hide the rest of the line
      const end = /%[^\n]*$/.test(part) ? '\n' : '';
      pieces.push(
        text.slice(copiedTo, token.start),
        isPage ? `\\clearpage\n${part}\n\\clearpage ` : `${part}${end}`,
      );
      copiedTo = call.end;
    });
    return pieces.join('') + text.slice(copiedTo);
  }
  return join(main, root, []);
}

interface Call {
  name: string;
  target: string;
  /** The folder named in `\import`; null for other calls. */
  folder: string | null;
  isFromHere: boolean;
  end: number;
}

function readCall(text: string, tokens: readonly Token[], index: number): Call | null {
  const { name } = tokens[index]!;
  if (!/^(input|include|subfile|import|subimport|includeonly)$/.test(name)) return null;
  const first = readGroup(tokens, index + 1);
  if (!first) return null;
  const target = text.slice(first.start, first.end).trim();
  const end = tokens[first.close]!.end;
  if (!name.endsWith('import')) return { name, target, folder: null, isFromHere: false, end };
  const second = readGroup(tokens, first.close + 1);
  if (!second) return null;
  return {
    name,
    target: text.slice(second.start, second.end).trim(),
    folder: target,
    isFromHere: name === 'subimport',
    end: tokens[second.close]!.end,
  };
}

function findPart(
  target: string,
  folders: readonly string[],
  readPart: (path: string) => string | null,
): string | null {
  for (const folder of folders) {
    for (const name of [target, `${target}.tex`]) {
      const path = resolvePath(folder, name.replaceAll('"', ''));
      if (path !== null && readPart(path) !== null) return path;
    }
  }
  return null;
}

/** For a part that is a complete document (subfiles, standalone): the text between its begin and end. */
function innerPart(text: string): string {
  const begin = /\\begin\s*\{document\}/.exec(text);
  if (!begin || !/\\documentclass/.test(text.slice(0, begin.index))) return text;
  const rest = text.slice(begin.index + begin[0].length);
  const end = rest.lastIndexOf('\\end{document}');
  return end < 0 ? rest : rest.slice(0, end);
}

function cutAtEndinput(text: string): string {
  const token = scanLatex(text).find((one) => one.kind === 'command' && one.name === 'endinput');
  return token ? text.slice(0, token.start) : text;
}
