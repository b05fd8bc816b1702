/** What one room adds to a person's export: its files, and their description in the export's README. */
import type { Readable } from 'node:stream';

export interface ExportedFile {
  /** Path in the archive, `/`-separated, e.g. `conversions/ID/document.tex`. */
  path: string;
  content: string | Uint8Array | Readable;
}

export interface ExportPart {
  /** Each kind of file with its meaning, one sentence each. */
  describes: { path: string; meaning: string }[];
  files: AsyncIterable<ExportedFile>;
}

/** Rows as CSV (RFC 4180): a header line, CRLF, and text that a spreadsheet would run as a formula made harmless. */
export function formatCsv(columns: readonly string[], rows: readonly Record<string, unknown>[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => formatCell(row[column])))];
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('');
}

function formatCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const text =
    value instanceof Date ? value.toISOString() : typeof value === 'string' ? value : JSON.stringify(value);
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
