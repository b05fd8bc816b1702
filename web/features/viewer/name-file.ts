/** Longest name without its ending, in code points: file systems take 255 bytes. */
const maxLength = 60;

/** A file's name for a document's title: what some file system refuses becomes a space. Never empty, never hidden. */
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
