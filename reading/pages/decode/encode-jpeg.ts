/** The pictures of a page that leave its process compressed: one for people, one for a model. */
import sharp from 'sharp';
import type { Bitmap } from '../../page.ts';

/** Long side of the picture people see, px: sharp on a phone, and some 300 KB. */
const previewSide = 1600;
const previewQuality = 80;

/** Longest side a model is sent, px: at 200 dpi all of an A4 page's detail; vendors scale larger pictures down themselves. */
export const modelSide = 2200;
const modelQuality = 88;

/** A JPEG for people, without any metadata. */
export function encodePreview(bitmap: Bitmap): Promise<Uint8Array> {
  return shrunk(bitmap, previewSide).jpeg({ quality: previewQuality, chromaSubsampling: '4:4:4' }).toBuffer();
}

/** A JPEG that is sent once: finding the best code for it would cost half of making it. */
export function encodeForModel(bitmap: Bitmap): Promise<Uint8Array> {
  return shrunk(bitmap, modelSide).jpeg({ quality: modelQuality, optimiseCoding: false }).toBuffer();
}

function shrunk({ width, height, channels, data }: Bitmap, side: number) {
  return (
    sharp(data, { raw: { width, height, channels } })
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      // one channel stays one: decoded it is the same, and encoded for a third
      .toColourspace(channels === 1 ? 'b-w' : 'srgb')
  );
}
