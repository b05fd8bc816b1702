/** Tasks and results of an exchange thread. */
import type { ExchangeDocument, ExportForm } from './document.ts';
import type { ImportedDocument } from './import/import-document.ts';

export type ExchangeTask =
  | { kind: 'convert'; document: ExchangeDocument; form: ExportForm; now: Date }
  | { kind: 'import'; fileName: string; bytes: Uint8Array; main?: string };

export type ExchangeAnswer =
  | { kind: 'converted'; bytes: Uint8Array }
  | { kind: 'imported'; document: ImportedDocument }
  /** INVALID_INPUT with its message. */
  | { kind: 'refused'; message: string }
  | { kind: 'failed'; stack: string };
