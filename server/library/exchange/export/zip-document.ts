/**
 * Archives documents as files that compile anywhere: the text, its figures, and the settings by which plain `latexmk`
 * chooses the engine. One document, or all of a user's in their folders; both as a stream.
 */

import { listPackages } from '#latex/source/read-commands.ts';
import type { ExportedFile } from '#platform/export-part.ts';
import { zipFiles } from '#platform/zip-files.ts';
import type { Engine } from '#shared/api/engine.ts';
import { chooseEngine } from '#typesetting/index.ts';
import { toFileName } from '../../to-file-name.ts';

type Content = ExportedFile['content'];

/** A document with only its text in memory: files are opened one at a time. */
export interface ArchivedDocument {
  title: string;
  latex: string;
  /** Null: the text's own `% !TEX program` line decides. */
  engine?: Engine | null;
  /** The text's own file name; `main.tex` if null. */
  mainName?: string | null;
  figures: readonly { name: string; bytes: LazyContent }[];
  pdf: LazyContent | null;
}
/** A function returns null for a file that has just been deleted, which is then left out. */
type LazyContent = Content | (() => Promise<Content | null>);

/** The archive of one document. */
export function zipDocument(document: ArchivedDocument): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  return zipFiles(listDocumentFiles(document));
}

export interface FiledDocument extends ArchivedDocument {
  /** Names of its enclosing folders, outermost first. */
  folders: readonly string[];
}

/**
 * The archive of many documents: each in its own folder within its folders, with its PDF next to its text. `documents`
 * is read one at a time, as the archive is consumed.
 * @param folders all folders, each as its path of names: no document's own folder gets the same name
 */
export function zipDocuments(
  documents: AsyncIterable<FiledDocument>,
  folders: readonly (readonly string[])[] = [],
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  return zipFiles(listAllFiles(documents, folders));
}

const toPlace = (names: readonly string[]) => names.map(toFileName).join('/');

async function* listAllFiles(
  documents: AsyncIterable<FiledDocument>,
  folders: readonly (readonly string[])[],
): AsyncGenerator<ExportedFile> {
  const taken = new Set(folders.map((names) => toPlace(names).toLowerCase()));
  for await (const document of documents) {
    const place = freePlace(toPlace([...document.folders, document.title]), taken);
    for await (const file of listDocumentFiles(document)) yield { ...file, path: `${place}/${file.path}` };
    const pdf = document.pdf && (await open(document.pdf));
    if (pdf) yield { path: `${place}/main.pdf`, content: pdf };
  }
}

function open(content: LazyContent): Promise<Content | null> {
  return typeof content === 'function' ? content() : Promise.resolve(content);
}

/** Finds a free name: documents can have the same title, and file systems may ignore case. */
function freePlace(wanted: string, taken: Set<string>): string {
  let place = wanted;
  for (let number = 2; taken.has(place.toLowerCase()); number++) place = `${wanted} (${number})`;
  taken.add(place.toLowerCase());
  return place;
}

async function* listDocumentFiles({
  latex,
  engine,
  mainName,
  figures,
}: ArchivedDocument): AsyncGenerator<ExportedFile> {
  const main = mainName ?? 'main.tex';
  yield { path: main, content: latex };
  const settings = latexmkSettings(main, latex, engine ?? chooseEngine(latex).engine);
  yield { path: 'latexmkrc', content: settings };
  for (const { name, bytes } of figures) {
    // an untrusted one could run programs wherever the archive is compiled
    if (/(?:^|\/)latexmkrc$/i.test(name)) continue;
    const content = await open(bytes);
    if (content) yield { path: name, content };
  }
}

/** latexmk's numbers for the engines. */
const latexmkModes: Record<Engine, number> = { pdflatex: 1, lualatex: 4, xelatex: 5 };

/** The settings that latexmk reads from its working folder; its default would be `latex` and DVI. */
function latexmkSettings(main: string, latex: string, engine: Engine): string {
  const lines = [`@default_files = ('${main}');`, `$pdf_mode = ${latexmkModes[engine]}; # ${engine}`];
  const loaded = new Set(listPackages(latex).flatMap(({ names }) => names));
  // minted runs an external program to highlight code
  if (loaded.has('minted')) lines.push("set_tex_cmds('-shell-escape %O %S');");
  // unlike indexes and references, latexmk does not build these lists by itself
  if (loaded.has('glossaries') || loaded.has('glossaries-extra'))
    lines.push(
      "add_cus_dep($_->[0], $_->[1], 0, 'make_glossaries') for ['glo', 'gls'], ['acn', 'acr'];",
      "sub make_glossaries { return system('makeglossaries', $_[0]); }",
    );
  if (loaded.has('nomencl'))
    lines.push(
      "add_cus_dep('nlo', 'nls', 0, 'make_nomenclature');",
      'sub make_nomenclature { return system("makeindex \\"$_[0].nlo\\" -s nomencl.ist -o \\"$_[0].nls\\""); }',
    );
  return `${lines.join('\n')}\n`;
}
