/**
 * A document as files that compile anywhere: its text, its figures, and what tells plain `latexmk` the engine. One
 * document, or all of a person's in the folders that they are kept in; both as a stream.
 */
import type { ExportedFile } from '../../../platform/export-part.ts';
import { zipFiles } from '../../../platform/zip-files.ts';
import { chooseEngine } from '../../../typesetting/index.ts';
import { type ExchangeDocument, toFileName } from '../document.ts';

/** The archive of one document. */
export function zipDocument(document: ExchangeDocument): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  return zipFiles(toAsync(listDocumentFiles(document)));
}

export interface FiledDocument extends ExchangeDocument {
  /** Names of the folders that it lies in, outermost first. */
  folders: readonly string[];
}

/**
 * The archive of many documents: each a folder of its own below its folders, its PDF beside its text. `documents` is
 * read one at a time and no further than the archive is.
 */
export function zipDocuments(
  documents: AsyncIterable<FiledDocument>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  return zipFiles(listAllFiles(documents));
}

async function* listAllFiles(documents: AsyncIterable<FiledDocument>): AsyncGenerator<ExportedFile> {
  const taken = new Set<string>();
  for await (const document of documents) {
    const place = freePlace([...document.folders, document.title].map(toFileName).join('/'), taken);
    for (const file of listDocumentFiles(document)) yield { ...file, path: `${place}/${file.path}` };
    if (document.pdf) yield { path: `${place}/main.pdf`, content: document.pdf };
  }
}

/** Two documents may have one title, and file systems fold case. */
function freePlace(wanted: string, taken: Set<string>): string {
  let place = wanted;
  for (let number = 2; taken.has(place.toLowerCase()); number++) place = `${wanted} (${number})`;
  taken.add(place.toLowerCase());
  return place;
}

export function listDocumentFiles({ latex, figures }: ExchangeDocument): ExportedFile[] {
  return [
    { path: 'main.tex', content: latex },
    { path: 'latexmkrc', content: latexmkSettings(latex) },
    ...figures.map(({ name, bytes }) => ({ path: name, content: bytes })),
  ];
}

/** latexmk reads this from the folder it runs in; its own default would be `latex` and DVI. */
function latexmkSettings(latex: string): string {
  const isPdflatex = chooseEngine(latex).engine === 'pdflatex';
  const lines = [
    "@default_files = ('main.tex');",
    isPdflatex ? '$pdf_mode = 1; # pdflatex' : '$pdf_mode = 5; # xelatex',
  ];
  // minted runs a program that colours code
  if (/^[^%\n]*\\usepackage\s*(\[[^\]]*\])?\s*\{[^}]*\bminted\b/m.test(latex))
    lines.push("set_tex_cmds('-shell-escape %O %S');");
  return `${lines.join('\n')}\n`;
}

async function* toAsync<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}
