/** Finds the parts of a LaTeX document that exact edits change. Offsets are UTF-16, into the scanned text. */
import { type CommandUse, findBody, listCommands, withoutLabels } from '../source/read-commands.ts';
import { scanLatex, type Token } from '../source/scan.ts';
import type { HeadingLevel } from './exact-edit.ts';

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
  const commands = listCommands(tokens, /^/);
  const { begin, end } = findBody(tokens);
  return {
    tokens,
    commands,
    documentClass: commands.find(({ name }) => name === 'documentclass') ?? null,
    begin,
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
  return withoutLabels(words)
    .replace(/\\[A-Za-z]+\*?\s?/g, '')
    .replace(/\\([&%#_${}])/g, '$1')
    .replace(/[{}$~]/g, ' ')
    .replace(/---?/g, '–')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
