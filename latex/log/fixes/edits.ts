/** Shared by several fixes: edits, and finding the place for them. */

import { mathArity } from '../../source/commands.ts';
import { readGroup, readOptional } from '../../source/matches.ts';
import {
  defaultPackageOptions,
  impliedPackages,
  isKnownPackage,
  packageOrder,
} from '../../source/package-table.ts';
import type { Token } from '../../source/scan.ts';
import type { SourceText } from '../../source/source-text.ts';
import type { Complaint, Fixer, Proposal, TextEdit } from '../rule.ts';

export const insertAt = (at: number, insert: string): TextEdit => ({ from: at, to: at, insert });

export const cut = (from: number, to: number): TextEdit => ({ from, to, insert: '' });

/** A line for the preamble, just before `\begin{document}`. */
export function toPreamble(source: SourceText, line: string): TextEdit | null {
  const at = source.bodyStart;
  return at === null ? null : insertAt(at, `${line}\n`);
}

/**
 * Loads a package: before those that must come after it (hyperref, cleveref) and before its first use, else as
 * the preamble's last line.
 */
export function loadPackage(source: SourceText, name: string, firstUse?: number): Proposal | null {
  const options = defaultPackageOptions(name);
  const line = `\\usepackage${options ? `[${options}]` : ''}{${name}}`;
  const body = source.bodyStart;
  if (body === null) return null;
  let at = body;
  const later = source.packages.find(({ names }) =>
    names.some((one) => isKnownPackage(one) && packageOrder(one) > packageOrder(name)),
  );
  if (later && later.start < body) at = later.start;
  if (firstUse !== undefined && firstUse < at) at = source.startOf(source.positionOf(firstUse).line);
  return { title: `Add ${line}`, edits: [insertAt(at, `${line}\n`)] };
}

export function isLoaded(source: SourceText, name: string): boolean {
  const loads = (one: string) => source.packages.some(({ names }) => names.includes(one));
  return (
    loads(name) ||
    Object.entries(impliedPackages).some(([one, implied]) => implied.includes(name) && loads(one))
  );
}

/** Index of the token that contains the character at an offset. */
export function tokenAt(tokens: readonly Token[], offset: number): number {
  let low = 0;
  let high = tokens.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (tokens[middle]!.start <= offset) low = middle;
    else high = middle;
  }
  return low;
}

/** Offsets of a command including its arguments. */
export function commandRange(tokens: readonly Token[], index: number): { from: number; to: number } {
  const token = tokens[index]!;
  let at = index + 1;
  let to = token.end;
  const optional = readOptional(tokens, at);
  if (optional) {
    at = optional.close + 1;
    to = tokens[optional.close]!.end;
  }
  for (let arity = mathArity.get(token.name) ?? 9; arity > 0; arity--) {
    const group = tokens[at]?.kind === 'open' ? readGroup(tokens, at) : null;
    if (!group) break;
    at = group.close + 1;
    to = tokens[group.close]!.end;
  }
  return { from: token.start, to };
}

/** The lines next to an empty one, up to the next empty one. */
export function paragraphText(source: SourceText, line: number, step: 1 | -1): string {
  const lines: string[] = [];
  for (let at = line; at >= 1 && at <= source.lineCount && lines.length < 200; at += step) {
    const text = source.lineText(at);
    if (text.trim() === '') break;
    lines.push(text.replace(/(?<!\\)%.*$/, ''));
  }
  return (step < 0 ? lines.reverse() : lines).join('\n');
}

/** The character after which TeX stopped, if it is the one named. */
function culprit({ line, before }: Complaint, source: SourceText, character: string): number | null {
  const after = source.offsetAfter(line, before);
  return after !== null && source.text[after - 1] === character ? after - 1 : null;
}

export const removeCulprit =
  (character: string): Fixer =>
  (complaint, source) => {
    const at = culprit(complaint, source, character);
    return at === null ? null : { title: `Remove this ${character}`, edits: [cut(at, at + 1)] };
  };

export const escapeCulprit =
  (character: string): Fixer =>
  ({ line, before }, source) => {
    const after = source.offsetAfter(line, before);
    const at = after === null ? -1 : source.text.lastIndexOf(character, after - 1);
    if (line === null || at < source.startOf(line) || source.text[at - 1] === '\\') return null;
    return { title: `Write \\${character}`, edits: [insertAt(at, '\\')] };
  };

export function renameOnLine(
  { shownLine, line: reported }: Complaint,
  source: SourceText,
  from: string,
  to: string,
  title: string,
): Proposal | null {
  const line = shownLine ?? reported;
  if (line === null) return null;
  const at = source.lineText(line).indexOf(from);
  if (at < 0) return null;
  const start = source.startOf(line) + at;
  return { title, edits: [{ from: start, to: start + from.length, insert: to }] };
}
