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
