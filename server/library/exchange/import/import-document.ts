/**
 * Imports a .tex file, or a .zip of one document with its files: chapters, bibliographies, styles and pictures stay files
 * in their folders, unchanged. Only a file whose name TeX or another computer could not read gets another one, and the
 * references to it follow. Nothing here executes what it reads.
 */

import { isUtf8 } from 'node:buffer';
import { readGroup } from '#latex/source/matches.ts';
import { argumentOf, listPackages } from '#latex/source/read-commands.ts';
import { scanLatex } from '#latex/source/scan.ts';
import { applySplices } from '#latex/source/splice.ts';
import { readableTitle } from '#latex/source/title/readable-title.ts';
import { invalidInput } from '#platform/errors.ts';
import { fileNamePattern, folderOf } from '#shared/api/file-name.ts';
import { maxDocumentFiles, textFileEndings } from '#shared/api/library.ts';
import { maxFiguresBytes, maxLatexLength } from '#shared/api/limits.ts';
import type { Asset } from '#typesetting/index.ts';
import { decodeText } from '../../files/decode-text.ts';
import { FileNames } from './file-names.ts';
import { findMain, isDocument } from './find-main.ts';
import { maxArchiveBytes, readArchive } from './read-archive.ts';
import { listGraphicFolders, rewriteReferences } from './rewrite-references.ts';

export interface ImportedDocument {
  title: string;
  latex: string;
  figures: Asset[];
  /** Files that the document names but that were not sent, as it names them. */
  missing: string[];
  /** The text's own file name, unless it is `main.tex` or one that cannot be kept. */
  mainName: string | null;
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
  requireLength(latex);
  if (!isDocument(latex))
    throw invalidInput(`“${fileName}” is not a LaTeX document: it has no \\documentclass.`);
  const { missing } = rewriteReferences(latex, { files: new Map(), folder: '', names: new FileNames('') });
  const text = isUtf8(bytes) ? latex : declareUtf8(latex);
  const title = titleOf(latex) || nameFrom(fileName, '');
  return { title, latex: text, figures: [], missing, mainName: null, main: null, others: [] };
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
  const text = setBibliography(sources.get(main)!, main, files);
  requireLength(text);
  const isAllUtf8 = [...sources.keys()].every((path) => isUtf8(files.get(path)!));
  files.delete(main);
  const names = new FileNames(folder);
  const readable = [...files].filter(([path, one]) => isPart(path) && !one.includes(0));
  const texts = [text, ...readable.map(([path, one]) => decodeText(one, path))];
  const graphicFolders = [...new Set(texts.flatMap((one) => listGraphicFolders(one, folder)))];
  const context = { files, folder, names, graphicFolders };
  const document = rewriteReferences(text, context);
  const parts = rewriteParts(document.used, context, isAllUtf8);
  const figures = chooseFiles(files, parts.files, names, main);
  const own = main.slice(folder === '' ? 0 : folder.length + 1);
  const title = [text, ...parts.texts].map(titleOf).find((one) => one !== '');
  return {
    title: title ?? nameFrom(fileName, own),
    latex: isAllUtf8 ? document.latex : declareUtf8(document.latex),
    figures,
    missing: [...new Set([...document.missing, ...parts.missing])],
    mainName: own !== 'main.tex' && fileNamePattern.test(own) ? own : null,
    main,
    others,
  };
}

function requireLength(latex: string): void {
  if (latex.length > maxLatexLength)
    throw invalidInput(`The document is longer than ${maxLatexLength.toLocaleString('en')} characters.`);
}

/** LaTeX files that name other files. */
const isPart = (path: string) =>
  /\.(?:tex|ltx|latex|tikz|pgf|pdf_tex|eps_tex|inc|sty|cls|clo|def)$/i.test(path);

interface Parts {
  /** Files that the document uses, by path, as stored. */
  files: Map<string, Uint8Array>;
  texts: string[];
  missing: string[];
}

/** Collects all files that a document uses, with references in its parts, styles and classes adjusted to new names. */
function rewriteParts(
  used: ReadonlySet<string>,
  context: Parameters<typeof rewriteReferences>[1],
  isAllUtf8: boolean,
): Parts {
  const parts: Parts = { files: new Map(), texts: [], missing: [] };
  const place = (path: string) => {
    if (parts.files.has(path)) return;
    const bytes = context.files.get(path)!;
    parts.files.set(path, bytes);
    if (!isPart(path) || bytes.length > maxLatexLength) return;
    const text = decodeText(bytes, path);
    const inside = rewriteReferences(text, { ...context, partFolder: folderOf(path) });
    const isSource = /\.(?:tex|ltx|latex)$/i.test(path);
    if (inside.latex !== text || (isSource && !isAllUtf8))
      parts.files.set(path, new TextEncoder().encode(inside.latex));
    if (isSource) {
      parts.texts.push(text);
      parts.missing.push(...inside.missing);
    }
    for (const other of inside.used) place(other);
  };
  for (const path of used) place(path);
  return parts;
}

/** Output of a compile, which the next one creates again. */
const isProduct =
  /\.(?:aux|log|toc|lof|lot|lol|out|fls|fdb_latexmk|synctex(?:\.gz)?|blg|bcf|run\.xml|idx|ilg|glo|glg|acn|alg|nav|snm|vrb|xdv|dvi)$/i;
/** Rank of a file without references, null to leave it out: lower if TeX is likelier to need it (a macro may compose its name). */
function rankOf(path: string, bytes: Uint8Array): number | null {
  if (/\.(?:pdf_tex|eps_tex|pdf_t|eps_t|pstex_t|pgf|tikz|inc|tab|bbl)$/i.test(path) || isPart(path)) return 0;
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  if ((textFileEndings as readonly string[]).includes(ending)) return 1;
  if (/\.(?:png|jpe?g|pdf|eps|svg|mps|ps)$/i.test(path)) return 2;
  // any other text file
  return bytes.length <= maxLatexLength && !bytes.includes(0) ? 3 : null;
}

/**
 * Chooses the files to keep: all that the document uses, then others up to the limits.
 * @throws ApiError INVALID_INPUT if the used files are too many or too large
 */
function chooseFiles(
  files: ReadonlyMap<string, Uint8Array>,
  used: ReadonlyMap<string, Uint8Array>,
  names: FileNames,
  main: string,
): Asset[] {
  const chosen = [...used].map(([path, bytes]) => ({ name: names.nameOf(path), bytes }));
  let total = chosen.reduce((sum, { bytes }) => sum + bytes.length, 0);
  if (chosen.length > maxDocumentFiles)
    throw invalidInput(`The document uses more than ${maxDocumentFiles} files.`);
  if (total > maxFiguresBytes)
    throw invalidInput(`The figures are larger than ${maxFiguresBytes / 1_000_000} MB in total.`);
  const ownPdf = main.replace(/\.[^./]*$/, '.pdf');
  const others = [...files].flatMap(([path, bytes]) => {
    const isOut =
      used.has(path) || path === ownPdf || isProduct.test(path) || /(?:^|\/)latexmkrc$/i.test(path);
    const rank = isOut ? null : rankOf(path, bytes);
    return rank === null ? [] : [{ path, bytes, rank }];
  });
  for (const { path, bytes } of others.toSorted((one, other) => one.rank - other.rank)) {
    if (chosen.length >= maxDocumentFiles || total + bytes.length > maxFiguresBytes) continue;
    chosen.push({ name: names.nameOf(path), bytes });
    total += bytes.length;
  }
  return chosen;
}

/** A title from the name of the main file or of the upload, whichever is descriptive first. */
function nameFrom(fileName: string, main: string): string {
  const stems = [main, fileName].map((name) => name.replace(/^.*[/\\]/, '').replace(/\.[^.]*$/, ''));
  const isGeneric = (stem: string) => /^(?:main|document|paper|article|index)?$/i.test(stem);
  return stems.find((stem) => !isGeneric(stem)) ?? (stems[1] || 'Untitled');
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

function titleOf(latex: string): string {
  const title = argumentOf(latex, 'title');
  if (title === null) return '';
  const words = title
    .replace(/\\\\(\[[^\]]*\])?/g, ' ')
    .replace(
      /\\(?:tiny|small|normalsize|[Ll]arge|LARGE|[Hh]uge|bfseries|itshape|sffamily|vspace\*?\s*\{[^{}]*\})(?![A-Za-z])/g,
      ' ',
    );
  return [...readableTitle(words)].slice(0, 200).join('');
}

/** Declares the text as UTF-8, which it now is, whatever its original encoding. */
function declareUtf8(latex: string): string {
  const declared = listPackages(latex).flatMap(({ names, options }) =>
    options && names.includes('inputenc') ? [{ start: options.start, end: options.end, text: 'utf8' }] : [],
  );
  return applySplices(latex, declared).text;
}
