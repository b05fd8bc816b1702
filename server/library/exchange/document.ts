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

/** A title as a file's name without its ending: any script, nothing that a file system refuses, 80 characters. */
export function toFileName(title: string): string {
  const name = title
    .normalize('NFC')
    .toWellFormed()
    .replace(/[\p{C}/\\:*?"<>|]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[ .]+/, '');
  const short = [...name]
    .slice(0, 80)
    .join('')
    .replace(/[ .]+$/, '');
  // Windows keeps these for devices, with any ending
  if (/^(con|prn|aux|nul|com\d|lpt\d)$/i.test(short)) return `${short}-`;
  return short || 'Untitled';
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
