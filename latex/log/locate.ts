/** Moves messages to where the reader of the document can act on them, using the document's source. */

import type { LogMessage } from '#shared/api/errors.ts';
import { literal } from '../source/escape.ts';
import { listCommands, listLabels } from '../source/read-commands.ts';
import type { SourceText } from '../source/source-text.ts';

interface Place {
  message: LogMessage;
  /** The text TeX was reading when it noticed, if any. */
  runaway: string;
}

/**
 * Corrects file and line if TeX names a later line, or one inside a package: a missing file is moved to where
 * it is requested, an unclosed brace or environment to where it opens, a package's error to where the package
 * is loaded.
 * @param document the name by which TeX knows the source.
 */
export function locate({ message, runaway }: Place, source: SourceText, document: string): LogMessage {
  const moved = (line: number | null): LogMessage =>
    line === null ? message : { ...message, file: document, line };
  const lines = source.text.split('\n');
  const { message: wording } = message;
  const missing = /^LaTeX Error: File `(.+?)(?:\.(?:sty|cls|tex))?' not found/.exec(message.message);
  if (missing)
    return moved(
      findLine(
        lines,
        new RegExp(`\\\\[A-Za-z]+\\*?(?:\\[[^\\]]{0,300}\\])?\\{[^}]{0,300}${literal(missing[1]!)}`),
      ) ?? (wording.includes('.cls') ? findLine(lines, /\\documentclass/) : null),
    );
  const unclosed = /^LaTeX Error: \\begin\{\S+?\} on input line (\d+) ended by \\end\{(\S+?)\}/.exec(wording);
  // what ends is open itself: the one inside it lacks its end
  if (
    unclosed &&
    lines.slice(0, Number(unclosed[1])).some((line) => line.includes(`\\begin{${unclosed[2]}}`))
  )
    return moved(Number(unclosed[1]));
  if (/^File ended while scanning (?!use of \\@xverb)/.test(wording) && runaway !== '')
    return moved(findRunaway(source.text, runaway));
  const label = /^Label `(.+?)' multiply defined/.exec(wording);
  if (label) {
    const last = listLabels(source.text, source.annotated.tokens).findLast(({ name }) => name === label[1]);
    return moved(last ? source.positionOf(last.start).line : null);
  }
  const character = /^Missing character: There is no (.+?) [("]/.exec(wording)?.[1];
  if (character) return moved(findLine(lines, new RegExp(literal(character), 'u')));
  if (/no legal \\end found/.test(wording))
    return moved(lines.findLastIndex((line) => line.trim() !== '') + 1 || null);
  if (/@xverbatim/.test(wording)) return moved(findLast(lines, /\\begin\{verbatim\*?\}/, lines.length));
  const font = /The font "(.+?)" cannot be found/.exec(wording);
  if (font) return moved(findLine(lines, new RegExp(`\\{${literal(font[1]!)}\\}`)) ?? message.line);
  const clash =
    /Option clash for package (\S+?)\.?$/.exec(wording)?.[1] ??
    (/shell-escape/.test(wording) ? 'minted' : null);
  if (clash && message.file === document && message.line !== null) {
    const until = message.line;
    const loads = listLoads(source).findLast(({ name, line }) => name === clash && line <= until);
    return moved(loads?.line ?? message.line);
  }
  if (message.file === document && message.line !== null) {
    // a line of a package whose name TeX did not mention
    if (message.line > lines.length) {
      return { ...message, line: /fontspec|XeTeX|LuaTeX/.test(wording) ? findFontspec(source) : null };
    }
    let line = message.line;
    // TeX notices at the empty line, or the \item, after the fault
    const isEarlier = (text: string) =>
      text.trim() === '' || (/missing \\item/.test(wording) && /^\s*\\item\b/.test(text));
    while (line > 1 && isEarlier(lines[line - 1]!)) line--;
    if (/^Missing \$ inserted/.test(wording)) line = openEnvironment(lines, line) ?? line;
    if (line !== message.line) return moved(line);
  }
  const packaged = /^\/.*?([^/]+)\.(?:sty|cls|def|ldf|cfg|tex|code\.tex)$/.exec(message.file ?? '');
  if (packaged) {
    const [, name] = packaged;
    const line = listLoads(source).find((load) => load.name === name)?.line ?? findClassLine(source, name!);
    if (line !== null) return moved(line);
    const loader = name === 'fontspec' ? findFontspec(source) : null;
    return { ...message, file: document, line: loader };
  }
  return message;
}

/** The packages that the document loads, each with the line that names it. */
function listLoads(source: SourceText): { name: string; line: number }[] {
  return source.packages.flatMap(({ argument, names }) => {
    let at = argument.start;
    return names.map((name) => {
      const start = source.text.indexOf(name, at);
      at = start + name.length;
      return { name, line: source.positionOf(start).line };
    });
  });
}

function findClassLine(source: SourceText, name: string): number | null {
  const [use] = listCommands(source.annotated.tokens, /^documentclass$/);
  const isIt = use?.argument && source.text.slice(use.argument.start, use.argument.end).trim() === name;
  return isIt ? source.positionOf(use.start).line : null;
}

const bringsFontspec = new Set(['fontspec', 'unicode-math', 'polyglossia', 'mathspec', 'xltxtra']);

/** The line of the first package that loads fontspec. */
const findFontspec = (source: SourceText): number | null =>
  listLoads(source).find(({ name }) => bringsFontspec.has(name))?.line ?? null;

/** First line outside of comments that matches, 1-based. */
function findLine(lines: string[], pattern: RegExp): number | null {
  const index = lines.findIndex((line) => pattern.test(line.replace(/(?<!\\)%.*$/, '')));
  return index < 0 ? null : index + 1;
}

/** Last line up to `until` that matches, 1-based. */
function findLast(lines: string[], pattern: RegExp, until: number): number | null {
  for (let line = Math.min(until, lines.length); line >= 1; line--)
    if (pattern.test(lines[line - 1]!.replace(/(?<!\\)%.*$/, ''))) return line;
  return null;
}

/** The line of a displayed formula's `\begin` without an end, in the paragraph that ends on `line`. */
function openEnvironment(lines: string[], line: number): number | null {
  const begin = /\\begin\{((?:equation|displaymath|math)\*?)\}/;
  for (let at = line; at >= 1 && lines[at - 1]!.trim() !== ''; at--) {
    const name = begin.exec(lines[at - 1]!)?.[1];
    if (!name) continue;
    const ends = lines.slice(at - 1).findIndex((text) => text.includes(`\\end{${name}}`));
    const begins = lines.slice(at).findIndex((text) => text.includes(`\\begin{${name}}`));
    return ends < 0 || (begins >= 0 && begins + 1 < ends) ? at : null;
  }
  return null;
}

/** The line whose text TeX quotes as the beginning of the runaway. */
function findRunaway(source: string, runaway: string): number | null {
  const quoted = runaway
    .replace(/^[\s{]*(?:\^\^M)*/, '')
    .split(/\\par\b|\^\^M|\\ETC\./)[0]!
    .trim();
  if (quoted.length < 3) return null;
  // TeX adds a space after each command it quotes, and ends lines with one
  const pattern = quoted.slice(0, 80).split(/\s+/).map(literal).join('\\s*');
  const at = source.search(new RegExp(pattern));
  return at < 0 ? null : source.slice(0, at).split('\n').length;
}
