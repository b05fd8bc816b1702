/** Maximum length without the ending, in code points: file systems allow 255 bytes. */
const maxLength = 60;

/**
 * A file name for a document's title: characters that some file system rejects become spaces. Never empty, never
 * hidden.
 */
export function nameFile(title: string): string {
  const plain = title
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"/\\|?*]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const short = [...plain]
    .slice(0, maxLength)
    .join('')
    .replace(/^[. ]+|[. ]+$/g, '');
  return `${short || 'document'}.pdf`;
}
