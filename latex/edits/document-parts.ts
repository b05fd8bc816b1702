/** Finds the parts of a LaTeX document that exact edits change. Offsets are UTF-16, into the scanned text. */
import { readGroup, readOptional } from '../source/matches.ts';
import { scanLatex, type Token } from '../source/scan.ts';
import type { HeadingLevel } from './exact-edit.ts';

export interface CommandUse {
  /** The command's first character, and the end of its last argument. */
  start: number;
  end: number;
  name: string;
  options: { start: number; end: number } | null;
  argument: { start: number; end: number } | null;
}

export interface DocumentParts {
  tokens: Token[];
  documentClass: CommandUse | null;
  /** Offset of `\begin{document}` and where its body begins; null without one. */
  begin: { start: number; end: number } | null;
  /** Offset of `\end{document}`, or the text's length. */
  bodyEnd: number;
  commands: CommandUse[];
}

/** Reads the commands of a document with their first optional and first braced argument. */
export function readDocument(latex: string): DocumentParts {
  const tokens = scanLatex(latex);
  const commands: CommandUse[] = [];
  tokens.forEach((token, index) => {
    if (token.kind !== 'command') return;
    const optional = readOptional(tokens, index + 1);
    const group = readGroup(tokens, optional ? optional.close + 1 : index + 1);
    const last = group ? tokens[group.close]! : optional ? tokens[optional.close]! : token;
    commands.push({
      start: token.start,
      end: last.end,
      name: token.name,
      options: optional ? { start: optional.start, end: optional.end } : null,
      argument: group ? { start: group.start, end: group.end } : null,
    });
  });
  const begin = tokens.find((token) => token.kind === 'begin' && token.name === 'document');
  const end = tokens.findLast((token) => token.kind === 'end' && token.name === 'document');
  return {
    tokens,
    commands,
    documentClass: commands.find(({ name }) => name === 'documentclass') ?? null,
    begin: begin ? { start: begin.start, end: begin.end } : null,
    bodyEnd: end?.start ?? latex.length,
  };
}

export interface Heading {
  use: CommandUse;
  level: HeadingLevel;
  isStarred: boolean;
  words: string;
}

/** Lists the headings of the body, in order. */
export function listHeadings(latex: string, parts: DocumentParts): Heading[] {
  return parts.commands.flatMap((use) => {
    const level = use.name.replace('*', '');
    if (!/^(sub){0,2}section$/.test(level) || !use.argument || use.start < (parts.begin?.end ?? 0)) return [];
    const words = latex.slice(use.argument.start, use.argument.end);
    return [{ use, level: level as HeadingLevel, isStarred: use.name.endsWith('*'), words }];
  });
}

/** Returns a heading's words as somebody reads and types them. */
export function plainHeading(words: string): string {
  return words
    .replace(/\\label\{[^}]*\}/g, '')
    .replace(/\\[A-Za-z]+\*?\s?/g, '')
    .replace(/\\([&%#_${}])/g, '$1')
    .replace(/[{}$~]/g, ' ')
    .replace(/---?/g, '–')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
