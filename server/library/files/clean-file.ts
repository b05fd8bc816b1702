/** Every file that is kept goes through here once: what it says about its maker stays out of the storage. */
import { type ApiError, invalidInput } from '#platform/errors.ts';
import { removeMetadata } from '#platform/pictures/remove-metadata.ts';
import { WorkStarved } from '#platform/work/work-limit.ts';

/**
 * Draws a picture anew where a hostile one can do no harm, in the turn of its owner (`library/` and the account's id).
 * @throws ApiError INVALID_INPUT when it cannot be drawn, WorkStarved
 */
export type RedrawPicture = (bytes: Uint8Array, owner: string) => Promise<Uint8Array>;

/**
 * A figure, a page’s picture or another file of a document as it is kept: upright, without metadata.
 * @param ownerId the account whose it is
 * @throws ApiError INVALID_INPUT for a picture in a format that TeX does not read and that cannot be drawn anew either;
 * BUSY where the machine had no time for it
 */
export async function cleanFile(
  name: string,
  bytes: Uint8Array,
  redraw: RedrawPicture,
  ownerId: string,
): Promise<Uint8Array> {
  const { bytes: cleaned, orientation, isSound } = removeMetadata(bytes);
  const isForeign = isForeignPicture(bytes);
  if (orientation === 1 && isSound && !isForeign) return cleaned;
  try {
    return removeMetadata(await redraw(bytes, `library/${ownerId}`)).bytes;
  } catch (error) {
    if (error instanceof WorkStarved) throw error;
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
