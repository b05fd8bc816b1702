/** Looks for foreign bytes in everything a compile gave back: inflated PDF streams, its text as typeset, its messages. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { inflateSync } from 'node:zlib';
import type { CompileResult } from '../typesetter.ts';

/** Where `needle` was found in the result, or null. Images are inflated too, so a picture's raw pixels can be sought. */
export function findLeak(result: CompileResult, needle: string | Uint8Array): string | null {
  const bytes = Buffer.from(needle as string);
  const { pdf = null, ...rest } = result as { pdf?: Uint8Array | null };
  if (JSON.stringify(rest).includes(bytes.toString('latin1'))) return 'messages';
  if ('synctex' in result && result.synctex?.length && Buffer.from(result.synctex).includes(bytes))
    return 'synctex';
  return pdf ? findInPdf(pdf, bytes) : null;
}

export function findInPdf(pdf: Uint8Array, needle: Buffer): string | null {
  const raw = Buffer.from(pdf);
  if (raw.includes(needle)) return 'pdf bytes';
  for (const stream of inflatedStreams(raw)) if (stream.includes(needle)) return 'pdf stream';
  return pdfText(pdf).replace(/\s+/g, '').includes(needle.toString('latin1').replace(/\s+/g, ''))
    ? 'pdf text'
    : null;
}

/** Every stream of a PDF that inflates, inflated; object streams included. */
export function inflatedStreams(pdf: Buffer): Buffer[] {
  const found: Buffer[] = [];
  let at = 0;
  for (;;) {
    const start = pdf.indexOf('stream', at);
    if (start < 0) return found;
    at = start + 6;
    if (pdf.subarray(start - 3, start).toString('latin1') === 'end') continue;
    const begin = pdf[at] === 13 ? at + 2 : at + 1;
    const end = pdf.indexOf('endstream', begin);
    if (end < 0) return found;
    try {
      found.push(inflateSync(pdf.subarray(begin, end), { finishFlush: 2 }));
    } catch {
      found.push(pdf.subarray(begin, end));
    }
    at = end + 9;
  }
}

/** The text of a PDF as a reader sees it, by poppler; glyph codes say nothing to a byte search. */
export function pdfText(pdf: Uint8Array): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'inkproof-leak-'));
  try {
    const file = path.join(folder, 'out.pdf');
    writeFileSync(file, pdf);
    return execFileSync('pdftotext', ['-raw', file, '-'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return '';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
