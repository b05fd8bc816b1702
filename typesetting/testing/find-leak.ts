/**
 * Searches everything a compile returned for foreign bytes: the PDF's streams with every filter undone, its
 * strings, its text as a reader sees it, the messages, the SyncTeX text.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { CompileProgress, CompileResult } from '../typesetter.ts';
import { decodedStreams, stringsOf } from './pdf-streams.ts';

/** A secret, possibly transformed by a PDF: text is also found as hexadecimal, as UTF-16 and as glyphs. */
export type Needle = string | Uint8Array;

/** Where the first of the needles was found in a result or a preview, as `PLACE: NEEDLE`; null if there is none. */
export function findLeak(given: CompileResult | CompileProgress, needles: readonly Needle[]): string | null {
  const {
    pdf = null,
    synctex = null,
    ...rest
  } = given as { pdf?: Uint8Array | null; synctex?: Uint8Array | null };
  const texts: [string, Buffer][] = [['messages', Buffer.from(JSON.stringify(rest), 'utf8')]];
  if (synctex) texts.push(['synctex', unzip(synctex)], ['synctex bytes', Buffer.from(synctex)]);
  for (const [place, text] of texts)
    for (const needle of needles) if (holds(text, needle)) return `${place}: ${name(needle)}`;
  return pdf ? findInPdf(pdf, needles) : null;
}

function findInPdf(pdf: Uint8Array, needles: readonly Needle[]): string | null {
  const raw = Buffer.from(pdf);
  const look = (place: string, bytes: Buffer) => {
    const needle = needles.find((one) => holds(bytes, one));
    return needle === undefined ? null : `${place}: ${name(needle)}`;
  };
  const inBytes = look('pdf bytes', raw) ?? look('pdf strings', Buffer.from(stringsOf(raw), 'latin1'));
  if (inBytes) return inBytes;
  for (const stream of decodedStreams(raw)) {
    const found =
      look('pdf stream', stream) ??
      look('pdf stream', Buffer.from(stringsOf(stream.subarray(0, 2_000_000)), 'latin1'));
    if (found) return found;
  }
  const seen = pdfText(pdf).replace(/\s+/g, '');
  const shown = needles.find(
    (needle) => typeof needle === 'string' && seen.includes(needle.replace(/\s+/g, '')),
  );
  return shown === undefined ? null : `pdf text: ${name(shown)}`;
}

/** Whether bytes contain the needle: as it is, in hexadecimal, or with a zero byte between its characters. */
function holds(bytes: Buffer, needle: Needle): boolean {
  const plain = typeof needle === 'string' ? Buffer.from(needle, 'utf8') : Buffer.from(needle);
  const hex = plain.toString('hex');
  const wide = Buffer.from(plain.toString('latin1'), 'utf16le');
  return [plain, Buffer.from(hex), Buffer.from(hex.toUpperCase()), wide].some((form) => bytes.includes(form));
}

const name = (needle: Needle) => (typeof needle === 'string' ? needle : Buffer.from(needle).toString('hex'));

function unzip(bytes: Uint8Array): Buffer {
  try {
    return gunzipSync(bytes, { finishFlush: 2 });
  } catch {
    return Buffer.from(bytes);
  }
}

/** The text of a PDF as a reader sees it, by poppler; glyph codes mean nothing to a byte search. */
export function pdfText(pdf: Uint8Array): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'inkproof-leak-'));
  try {
    const file = path.join(folder, 'out.pdf');
    writeFileSync(file, pdf);
    return execFileSync('pdftotext', ['-raw', '-l', '50', file, '-'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 20_000,
    });
  } catch {
    return '';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
