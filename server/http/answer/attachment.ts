/**
 * `Content-Disposition` of a file to be saved, whatever script its name is in (RFC 6266; RFC 8187 for the
 * encoded form).
 */

import { z } from '@hono/zod-openapi';

/** For a file that the browser may display inline. */
export const DownloadQuery = z.object({
  download: z
    .enum(['true', 'false'])
    .default('false')
    .meta({ description: '`true`: sent as a download, named after its content.' }),
});

/** @param fileName as for `attachment`; used if a download was requested */
export function shownOrSaved(fileName: string, { download }: z.infer<typeof DownloadQuery>): string {
  return download === 'true' ? attachment(fileName) : 'inline; filename="document.pdf"';
}

/** @param fileName with its ending; the caller removes path separators and control characters */
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
