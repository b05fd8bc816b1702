/** A document to another form, in this process. The person's text is hostile: callers use `createExchanger`. */

import { readDocument } from '#latex/reader/read-document.ts';
import type { ExchangeDocument, ExportForm } from './document.ts';
import { writeDocx } from './export/write-docx.ts';
import { writeHtml } from './export/write-html.ts';
import { writeMarkdown } from './export/write-markdown.ts';

/** @param now for `\today` */
export function convertDocument(
  { title, latex, figures }: ExchangeDocument,
  form: ExportForm,
  now: Date,
): Uint8Array {
  const input = { document: readDocument(latex, now), title, figures };
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
