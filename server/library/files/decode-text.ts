/** Decodes a text file: UTF-8, UTF-16 with a byte order mark, or else Windows-1252. */
import { invalidInput } from '#platform/errors.ts';

/** @throws ApiError INVALID_INPUT if the file is not text. */
export function decodeText(bytes: Uint8Array, name: string): string {
  const text = decode(bytes).replace(/\r\n?/g, '\n');
  if (text.includes('\0')) throw invalidInput(`“${name}” is not a text file.`);
  return text;
}

function decode(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
