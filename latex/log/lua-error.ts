/**
 * Lua errors in a LuaLaTeX log: they begin unlike other errors, and name lines of the Lua code, not of the
 * document.
 */
import type { SourceText } from '../source/source-text.ts';
import type { Complaint } from './rule.ts';

/** `[\directlua]:3: …`, `file.lua:12: …`, after whatever the line contained before. */
const start = /(?:\[\\[A-Za-z]+\]|[^\s:()"<>{}[\]]+\.lua):(\d{1,9}): ?(.*)$/;
/** Follows each of them, after the place in the document. */
const closing = 'The lua interpreter ran into a problem, so the';
const window = 80;

/** The message of the error that begins on this line; null if there is none. */
export function readLuaError(lines: readonly string[], index: number): string | null {
  const line = lines[index]!;
  const found = line.startsWith('\t') || line.length > 4_000 ? null : start.exec(line);
  if (!found) return null;
  for (let at = index + 1; at < Math.min(lines.length, index + window); at++)
    if (lines[at] === closing)
      return `Lua error in line ${found[1]}: ${tidy(found[2]! || lines[index + 1]!)}`;
  return null;
}

/** LuaTeX adds a full stop to Lua's message; a LaTeX module's message begins with its name. */
const tidy = (text: string) =>
  text
    .trim()
    .replace(/^Module (\S+) Error:/, '$1:')
    .replace(/\.$/, '');

/**
 * The line of the document: by the time Lua fails at the third line of a `luacode` environment, TeX has read
 * the environment's end.
 */
export function findLuaLine({ message, shownLine }: Complaint, source: SourceText): number | null {
  const within = /^Lua error in line (\d+):/.exec(message);
  if (!within || shownLine === null || shownLine > source.lineCount) return null;
  if (!/\\end\s*\{luacode\*?\}/.test(source.lineText(shownLine))) return null;
  for (let line = shownLine; line > 0; line--)
    if (/\\begin\s*\{luacode\*?\}/.test(source.lineText(line)))
      return Math.min(line + Number(within[1]), shownLine);
  return null;
}
