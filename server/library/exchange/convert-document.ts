/** A document to another form, in this process. The person's text is hostile: callers use `createExchanger`. */

import { readDocument } from '#latex/reader/read-document.ts';
import { decodeText } from '../files/decode-text.ts';
import type { ExchangeDocument, ExportForm } from './document.ts';
import { writeDocx } from './export/write-docx.ts';
import { writeHtml } from './export/write-html.ts';
import { writeMarkdown } from './export/write-markdown.ts';
import { joinSources } from './join-sources.ts';

/** The name that the document's own text has for its parts. */
const mainName = 'main.tex';

/** One text of all its parts: these forms are one file. @throws ApiError INVALID_INPUT for parts that never end */
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
