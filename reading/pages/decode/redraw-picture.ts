/** Runs only inside a page process. */
import sharp from 'sharp';
import { Refusal } from '#platform/work/task.ts';
import { maxPixels } from '#shared/api/limits.ts';

/** A JPEG's second compression is invisible at this quality. */
const quality = 95;

/**
 * The same picture in the same format, upright, in sRGB and without metadata; its density is kept.
 * @throws Refusal if it cannot be decoded, or not be written in its format
 */
export async function redrawPicture(bytes: Uint8Array): Promise<Uint8Array> {
  try {
    const options = { failOn: 'error', limitInputPixels: maxPixels, animated: true } as const;
    const { format, density, pages = 1 } = await sharp(bytes, options).metadata();
    // frames of an animation are never rotated
    const picture = pages > 1 ? sharp(bytes, options) : sharp(bytes, options).autoOrient();
    const settings = format === 'jpeg' ? { quality, chromaSubsampling: '4:4:4' } : {};
    if (density && (format === 'jpeg' || format === 'png')) picture.withMetadata({ density });
    return await picture.toFormat(format === 'heif' ? 'avif' : format, settings).toBuffer();
  } catch (error) {
    throw new Refusal('The picture is damaged, or in a format that cannot be kept.', error);
  }
}
