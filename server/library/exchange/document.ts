/** A document as it is imported and exported: one text and the figures it includes. */
import type { ExportFormat } from '#shared/api/exchange.ts';
import type { Asset } from '#typesetting/index.ts';

export interface ExchangeDocument {
  title: string;
  /** The whole document, `\documentclass` to `\end{document}`. */
  latex: string;
  /**
   * Files besides the document's text: names that TeX can read and that do not clash (`isSafeAssetName`,
   * `findNameClash`).
   */
  figures: readonly Asset[];
  /** The last PDF that compiled. */
  pdf: Uint8Array | null;
}

/** Formats that a document can be converted to; it is exported to the others as it is. */
export type ExportForm = Exclude<ExportFormat, 'tex' | 'zip' | 'pdf'>;

/** Media type and file extension of each format. */
export const exportForms: Record<ExportForm, { mediaType: string; ending: string }> = {
  docx: {
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ending: '.docx',
  },
  html: { mediaType: 'text/html; charset=utf-8', ending: '.html' },
  markdown: { mediaType: 'text/markdown; charset=utf-8', ending: '.md' },
};
