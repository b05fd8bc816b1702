/** Every file that is kept goes through here once: what it says about its maker stays out of the storage. */
import { type ApiError, invalidInput } from '#server/platform/errors.ts';
import { removeMetadata } from '#server/platform/pictures/remove-metadata.ts';

/** Draws a picture anew where a hostile one can do no harm. @throws {ApiError} INVALID_INPUT when it cannot be drawn */
export type RedrawPicture = (bytes: Uint8Array) => Promise<Uint8Array>;

/**
 * A figure, a page’s picture or another file of a document as it is kept: upright, without metadata.
 * @throws ApiError INVALID_INPUT for a picture in a format that TeX does not read and that cannot be drawn anew either
 */
export async function cleanFile(name: string, bytes: Uint8Array, redraw: RedrawPicture): Promise<Uint8Array> {
  const { bytes: cleaned, orientation, isSound } = removeMetadata(bytes);
  const isForeign = isForeignPicture(bytes);
  if (orientation === 1 && isSound && !isForeign) return cleaned;
  try {
    return removeMetadata(await redraw(bytes)).bytes;
  } catch (error) {
    if (isForeign)
      throw invalidInput(
        `“${name}” cannot be kept. Save it as PNG or JPEG and send it again.`,
        error as ApiError,
      );
    // broken: it stays as it lies
    return cleaned;
  }
}

/** WebP, GIF, TIFF, HEIC and AVIF: a project may bring them, and they can say as much as a JPEG. */
function isForeignPicture(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(12, bytes.length)).toString('latin1');
  return /^(RIFF.{4}WEBP|GIF8[79]a|II[*+]\0|MM\0[*+]|.{4}ftyp)/s.test(head);
}
