/**
 * Imports a .tex file, or a .zip of one document with its files, as one text and figures without folders. The parts that
 * the document inputs are merged into its text; files that it includes get plain names, and the references are updated.
 * Nothing here executes what it reads.
 */

import { readGroup, readOptional } from '#latex/source/matches.ts';
import { readableTitle } from '#latex/source/readable-title.ts';
import { scanLatex } from '#latex/source/scan.ts';
import { invalidInput } from '#platform/errors.ts';
import { maxFiguresBytes, maxLatexLength } from '#shared/api/limits.ts';
import type { Asset } from '#typesetting/index.ts';
import { decodeText } from './decode-text.ts';
import { FileNames } from './file-names.ts';
import { findMain, folderOf, isDocument } from './find-main.ts';
import { joinSources } from './join-sources.ts';
import { maxArchiveBytes, readArchive } from './read-archive.ts';
import { rewriteReferences } from './rewrite-references.ts';

export interface ImportedDocument {
  title: string;
  latex: string;
  figures: Asset[];
  /** Files that the document names but that were not sent, as it names them. */
  missing: string[];
  /** Path in the archive; null for a .tex file. */
  main: string | null;
  /** Other possible main documents in the archive: paths, for `main`. */
  others: string[];
}

/**
 * @param fileName name of the user's file; its extension does not determine its type
 * @param main path of the main document in an archive with several
 * @throws ApiError INVALID_INPUT with a message for the user
 */
export function importDocument(fileName: string, bytes: Uint8Array, main?: string): ImportedDocument {
  if (bytes.length === 0) throw invalidInput('The file is empty.');
  if (bytes.length > maxArchiveBytes)
    throw invalidInput(`The file is larger than ${maxArchiveBytes / 1_000_000} MB.`);
  const isArchive = (bytes[0] === 0x50 && bytes[1] === 0x4b) || /\.zip$/i.test(fileName);
  return isArchive ? importArchive(fileName, bytes, main) : importText(fileName, bytes);
}

function importText(fileName: string, bytes: Uint8Array): ImportedDocument {
  const latex = decodeText(bytes, fileName);
  if (!isDocument(latex))
    throw invalidInput(`“${fileName}” is not a LaTeX document: it has no \\documentclass.`);
  return { ...finish(fileName, latex, new Map(), ''), main: null, others: [] };
}

function importArchive(fileName: string, bytes: Uint8Array, wanted?: string): ImportedDocument {
  const files = new Map(readArchive(bytes).map((file) => [file.path, file.bytes]));
  const sources = new Map(
    [...files]
      .filter(([path]) => /\.(tex|ltx|latex)$/i.test(path))
      .map(([path, one]) => [path, decodeText(one, path)]),
  );
  const { path: main, others } = findMain(sources, wanted);
  const folder = folderOf(main);
  const readPart = (path: string) => {
    const known = sources.get(path);
    if (known !== undefined) return known;
    const part = files.get(path);
    // tables and drawings in LaTeX have other extensions too
    return part && /\.(tikz|pgf|pdf_tex|eps_tex|bbl|txt|inc|tab)$/i.test(path)
      ? decodeText(part, path)
      : null;
  };
  const joined = setBibliography(joinSources(main, readPart), main, files);
  return { ...finish(fileName, joined, files, folder, main), main, others };
}

/**
 * Archives of published papers contain BibTeX's output (`.bbl`) instead of the databases: it is inserted where the
 * databases are named.
 */
function setBibliography(latex: string, main: string, files: ReadonlyMap<string, Uint8Array>): string {
  const list = files.get(main.replace(/\.[^./]*$/, '.bbl'));
  if (!list || [...files.keys()].some((path) => path.endsWith('.bib'))) return latex;
  const tokens = scanLatex(latex);
  const index = tokens.findIndex((token) => token.kind === 'command' && token.name === 'bibliography');
  const group = index < 0 ? null : readGroup(tokens, index + 1);
  const text = decodeText(list, main);
  if (!group || !text.includes('\\bibitem')) return latex;
  return `${latex.slice(0, tokens[index]!.start)}${text.trim()}\n${latex.slice(tokens[group.close]!.end)}`;
}

function finish(
  fileName: string,
  latex: string,
  files: ReadonlyMap<string, Uint8Array>,
  folder: string,
  main = '',
): Omit<ImportedDocument, 'main' | 'others'> {
  if (latex.length > maxLatexLength)
    throw invalidInput(`The document is longer than ${maxLatexLength.toLocaleString('en')} characters.`);
  const names = new FileNames();
  const context = { files, folder, names };
  const { latex: rewritten, used, missing } = rewriteReferences(latex, context);
  const figures = placeFiles(used, context);
  const total = figures.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (total > maxFiguresBytes)
    throw invalidInput(`The figures are larger than ${maxFiguresBytes / 1_000_000} MB together.`);
  const fallback = (main || fileName).replace(/^.*\//, '').replace(/\.[^.]*$/, '');
  const isGeneric = /^(main|document|paper|article|index)$/i.test(fallback);
  const ownName = isGeneric ? fileName.replace(/^.*[/\\]/, '').replace(/\.[^.]*$/, '') : fallback;
  return {
    title: titleOf(rewritten) || ownName || 'Untitled',
    latex: readAsUtf8(rewritten),
    figures,
    missing,
  };
}

/** The document's own styles and classes name files too: their references are updated, and those files are included. */
function placeFiles(used: ReadonlySet<string>, context: Parameters<typeof rewriteReferences>[1]): Asset[] {
  const { files, names } = context;
  const placed = new Map<string, Asset>();
  const place = (path: string) => {
    if (placed.has(path)) return;
    const bytes = files.get(path)!;
    const asset = { name: names.nameOf(path), bytes };
    placed.set(path, asset);
    if (!/\.(?:sty|cls|clo|def)$/i.test(path) || bytes.length > maxLatexLength) return;
    const text = decodeText(bytes, path);
    const inside = rewriteReferences(text, context);
    if (inside.latex !== text) asset.bytes = new TextEncoder().encode(inside.latex);
    for (const other of inside.used) place(other);
  };
  for (const path of used) place(path);
  return [...placed.values()];
}

function titleOf(latex: string): string {
  const tokens = scanLatex(latex);
  const index = tokens.findIndex((token) => token.kind === 'command' && token.name === 'title');
  if (index < 0) return '';
  const optional = readOptional(tokens, index + 1);
  const group = readGroup(tokens, optional ? optional.close + 1 : index + 1);
  if (!group) return '';
  const words = latex
    .slice(group.start, group.end)
    .replace(/\\\\(\[[^\]]*\])?|\\(thanks|footnote)\s*\{[^{}]*\}/g, ' ')
    .replace(
      /\\(?:tiny|small|normalsize|[Ll]arge|LARGE|[Hh]uge|bfseries|itshape|sffamily|vspace\*?\s*\{[^{}]*\})(?![A-Za-z])/g,
      ' ',
    );
  return [...readableTitle(words)].slice(0, 200).join('');
}

/** Declares the text as UTF-8, which it now is, whatever its original encoding. */
function readAsUtf8(latex: string): string {
  return latex.replace(/(\\usepackage\s*\[)[^\]]*(\]\s*\{inputenc\})/g, '$1utf8$2');
}
