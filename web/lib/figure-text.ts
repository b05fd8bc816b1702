/** Texts among a document's files: a part, a style, a bibliography. */
import type { Figure } from '#shared/api/conversion.ts';
import { decodeBase64 } from './pdf/pdf-address.ts';

/** The text of a file as it is, byte order mark included; null if it is not UTF-8. */
export function readFigureText({ data_base64 }: Figure): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(decodeBase64(data_base64));
  } catch {
    return null;
  }
}

/** A file with another text. */
export function withText(figure: Figure, text: string): Figure {
  const bytes = new TextEncoder().encode(text);
  let binary = '';
  // as many arguments as every browser takes
  for (let at = 0; at < bytes.length; at += 8_192)
    binary += String.fromCharCode(...bytes.subarray(at, at + 8_192));
  return { ...figure, data_base64: btoa(binary) };
}
