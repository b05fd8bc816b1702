/** Names of figures and other files, and where a text includes them. Pure. */
import { findBody, listCommands, loadsPackage } from '#latex/source/read-commands.ts';
import { scanLatex } from '#latex/source/scan.ts';
import type { TextChange } from '#shared/api/compile-session.ts';
import type { FigureMediaType } from '#shared/api/conversion.ts';
import { fileNamePattern } from '#shared/api/file-name.ts';
import { textFileEndings } from '#shared/api/library.ts';

const mediaTypes = { 'image/png': 'png', 'image/jpeg': 'jpg', 'application/pdf': 'pdf' } as const;
export type FigureType = FigureMediaType;

const endingOf = (fileName: string) => /\.([^.]*)$/.exec(fileName)?.[1]?.toLowerCase() ?? '';

/** True for text files that LaTeX reads, by their ending: a bibliography, a style, a table. */
export function isTextFile(fileName: string): boolean {
  return (textFileEndings as readonly string[]).includes(endingOf(fileName));
}

/** The longest part of a name (`fileNamePattern`). */
const maxNameLength = 100;

/**
 * A name that the server accepts and TeX finds, based on the file's own; with a number if it is taken. A text file
 * replaces the one with its name, because the document already refers to it.
 */
export function nameFigure(fileName: string, type: FigureType, taken: readonly string[]): string {
  const ending = type === 'application/octet-stream' ? endingOf(fileName) : mediaTypes[type];
  const stem = fileName
    .replace(/\.[^.]*$/, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[^A-Za-z0-9]+|-+$/g, '')
    .slice(0, maxNameLength - 10);
  // the name main is taken by the document's own file
  const base = stem === '' || stem.toLowerCase() === 'main' ? 'figure' : stem;
  const isTaken = (name: string) => taken.some((other) => other.toLowerCase() === name.toLowerCase());
  let name = `${base}.${ending}`;
  if (isTextFile(name)) return name;
  for (let number = 2; isTaken(name); number++) name = `${base}-${number}.${ending}`;
  return name;
}

export type NameProblem = 'empty' | 'characters' | 'taken';

/** What is wrong with a new file stem; null if nothing is. */
export function checkStem(stem: string, ending: string, others: readonly string[]): NameProblem | null {
  if (stem === '') return 'empty';
  if (!fileNamePattern.test(`${stem}.${ending}`) || stem.toLowerCase() === 'main') return 'characters';
  const name = `${stem}.${ending}`.toLowerCase();
  return others.some((other) => other.toLowerCase() === name) ? 'taken' : null;
}

/** Where the text names a figure, with or without its ending: offsets of the names, in document order. */
export function findUses(latex: string, name: string): { from: number; to: number }[] {
  const stem = name.replace(/\.[^.]*$/, '');
  return listCommands(scanLatex(latex), /^includegraphics\*?$/).flatMap(({ argument }) => {
    if (!argument) return [];
    const written = latex.slice(argument.start, argument.end);
    const named = written.trim();
    if (named !== name && named !== stem) return [];
    const from = argument.start + written.indexOf(named);
    return [{ from, to: from + named.length }];
  });
}

/**
 * The changes that insert a figure at this place: on its own lines, in the document's body, with the package it
 * needs.
 */
export function showFigure(latex: string, at: number, name: string): TextChange[] {
  // the title stays at the top
  const { begin } = findBody(scanLatex(latex));
  const top = begin
    ? begin.end + /^[^\n]*(?:\s*\\maketitle[^\n]*)?/.exec(latex.slice(begin.end))![0].length
    : 0;
  const place = Math.max(at, top);
  const lineStart = latex.lastIndexOf('\n', place - 1) + 1;
  const newline = latex.indexOf('\n', place);
  const lineEnd = newline < 0 ? latex.length : newline;
  const isBlank = latex.slice(lineStart, lineEnd).trim() === '';
  const figure = `\\begin{center}\n  \\includegraphics[width=0.8\\linewidth]{${name}}\n\\end{center}`;
  const insert: TextChange = isBlank
    ? { from: lineStart, to: lineEnd, insert: figure }
    : { from: lineEnd, to: lineEnd, insert: `\n${figure}` };
  if (begin === null || loadsPackage(latex, 'graphicx')) return [insert];
  const line = latex.lastIndexOf('\n', begin.start) + 1;
  return [{ from: line, to: line, insert: '\\usepackage{graphicx}\n' }, insert];
}
