import sharp from 'sharp';
import type { Bitmap } from '../../page.ts';

/** Long side of the picture people see, px: sharp on a phone, and some 300 KB. */
const previewSide = 1600;
const previewQuality = 80;

/** A JPEG for people, without any metadata. */
export function encodePreview({ width, height, channels, data }: Bitmap): Promise<Uint8Array> {
  return sharp(data, { raw: { width, height, channels } })
    .resize({ width: previewSide, height: previewSide, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: previewQuality, chromaSubsampling: '4:4:4' })
    .toBuffer();
}
