/** Removes metadata about its author from every file before it is stored. */
import { type ApiError, invalidInput } from '#platform/errors.ts';
import { removeMetadata } from '#platform/pictures/remove-metadata.ts';
import { WorkStarved } from '#platform/work/work-limit.ts';

/**
 * Re-encodes an image in isolation, so that a hostile one can do no harm, in its owner's turn (`library/` and the
 * account's id).
 * @throws ApiError INVALID_INPUT if it cannot be decoded, WorkStarved
 */
export type RedrawPicture = (bytes: Uint8Array, owner: string) => Promise<Uint8Array>;

/**
 * Returns a figure, a page’s image or another file of a document as it is to be stored: upright, without metadata.
 * @param ownerId the account that owns it
 * @throws ApiError INVALID_INPUT for an image in a format that TeX cannot read and that cannot be re-encoded either;
 * BUSY if the machine was too busy
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
        `“${name}” cannot be stored. Save it as PNG or JPEG and send it again.`,
        error as ApiError,
      );
    // damaged: stored unchanged
    return cleaned;
  }
}

/** WebP, GIF, TIFF, HEIC and AVIF: a project may contain them, and they can hold as much metadata as a JPEG. */
function isForeignPicture(bytes: Uint8Array): boolean {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(12, bytes.length)).toString('latin1');
  return /^(RIFF.{4}WEBP|GIF8[79]a|II[*+]\0|MM\0[*+]|.{4}ftyp)/s.test(head);
}
