/** A document as it comes in and goes out: one text and the figures it includes. */
import type { Asset } from '#typesetting/index.ts';

export interface ExchangeDocument {
  title: string;
  /** The whole document, `\documentclass` to `\end{document}`. */
  latex: string;
  /** Plain names (`isSafeAssetName`), none twice. */
  figures: readonly Asset[];
  /** The last good PDF. */
  pdf: Uint8Array | null;
}

/** Forms that a document is converted to. */
export type ExportForm = 'docx' | 'html' | 'markdown';

/** What the files of each form are: their media type and ending. */
export const exportForms: Record<ExportForm, { mediaType: string; ending: string }> = {
  docx: {
    mediaType: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
    ending: '.docx',
  },
  html: { mediaType: 'text/html; charset=utf-8', ending: '.html' },
  markdown: { mediaType: 'text/markdown; charset=utf-8', ending: '.md' },
};
