/** Converts a document to another format, in this process. The text is untrusted: callers use `createExchanger`. */

import { readDocument } from '#latex/reader/read-document.ts';
import { decodeText } from '../files/decode-text.ts';
import type { ExchangeDocument, ExportForm } from './document.ts';
import { writeDocx } from './export/write-docx.ts';
import { writeHtml } from './export/write-html.ts';
import { writeMarkdown } from './export/write-markdown.ts';
import { joinSources } from './join-sources.ts';

/** The name by which the document's parts refer to its own text. */
const mainName = 'main.tex';

/** Merges all parts into one text: these formats have one file. @throws ApiError INVALID_INPUT for endless parts */
function joinParts({ latex, figures }: Pick<ExchangeDocument, 'latex' | 'figures'>): string {
  const files = new Map(figures.map(({ name, bytes }) => [name, bytes]));
  return joinSources(mainName, (path) => {
    if (path === mainName) return latex;
    const bytes = files.get(path);
    return bytes && /\.(?:tex|tikz|txt)$/i.test(path) ? decodeText(bytes, path) : null;
  });
}

/** @param now for `\today` */
export function convertDocument(
  { title, latex, figures }: ExchangeDocument,
  form: ExportForm,
  now: Date,
): Uint8Array {
  const input = { document: readDocument(joinParts({ latex, figures }), now), title, figures };
  switch (form) {
    case 'docx':
      return writeDocx(input);
    case 'html':
      return new TextEncoder().encode(writeHtml(input));
    case 'markdown':
      return new TextEncoder().encode(writeMarkdown(input));
    default:
      return form satisfies never;
  }
}
