/** Turns a title into a file name without extension: any script, valid on every file system, at most 80 characters. */
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
  // Windows reserves these for devices, with any extension
  if (/^(con|prn|aux|nul|com\d|lpt\d)$/i.test(short)) return `${short}-`;
  return short || 'Untitled';
}
