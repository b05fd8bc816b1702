/** `Content-Disposition` of a file to be saved, whatever its name is written in (RFC 6266; RFC 8187 for the encoded form). */

/** @param fileName with its ending; path separators and control characters are for the caller to take out */
export function attachment(fileName: string): string {
  // for clients that do not know the encoded form
  const plain = fileName
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\x20-\x7e]+|["\\%]/g, '_');
  const encoded = encodeURIComponent(fileName.toWellFormed()).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
