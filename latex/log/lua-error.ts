/** Errors of Lua in a log of LuaLaTeX: they begin like no other, and name lines of the piece of code, not of the document. */
import type { SourceText } from '../source/source-text.ts';
import type { Complaint } from './rule.ts';

/** `[\directlua]:3: …`, `file.lua:12: …`, behind whatever stood on the line before. */
const start = /(?:\[\\[A-Za-z]+\]|[^\s:()"<>{}[\]]+\.lua):(\d{1,9}): ?(.*)$/;
/** Below each of them, after the place in the document. */
const closing = 'The lua interpreter ran into a problem, so the';
const window = 80;

/** The message of the error that begins on this line; null when none does. */
export function readLuaError(lines: readonly string[], index: number): string | null {
  const line = lines[index]!;
  const found = line.startsWith('\t') || line.length > 4_000 ? null : start.exec(line);
  if (!found) return null;
  for (let at = index + 1; at < Math.min(lines.length, index + window); at++)
    if (lines[at] === closing)
      return `Lua error in line ${found[1]}: ${tidy(found[2]! || lines[index + 1]!)}`;
  return null;
}

/** LuaTeX ends what Lua said with a full stop of its own; a module of LaTeX's begins with its name. */
const tidy = (said: string) =>
  said
    .trim()
    .replace(/^Module (\S+) Error:/, '$1:')
    .replace(/\.$/, '');

/** The line of the document: of a `luacode` environment TeX has seen the end when Lua stumbles over its third line. */
export function findLuaLine({ message, shownLine }: Complaint, source: SourceText): number | null {
  const within = /^Lua error in line (\d+):/.exec(message);
  if (!within || shownLine === null || shownLine > source.lineCount) return null;
  if (!/\\end\s*\{luacode\*?\}/.test(source.lineText(shownLine))) return null;
  for (let line = shownLine; line > 0; line--)
    if (/\\begin\s*\{luacode\*?\}/.test(source.lineText(line)))
      return Math.min(line + Number(within[1]), shownLine);
  return null;
}
