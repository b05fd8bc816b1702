/** The pictures that leave a page process compressed: one for people, one for a model. */
import sharp from 'sharp';
import type { Bitmap } from '../../page.ts';

/** Long side of the picture for people, px: sharp on a phone, and some 300 KB. */
export const previewSide = 1600;
const previewQuality = 80;

/**
 * Longest side of the picture for a model, px: full detail of an A4 page at 200 dpi; vendors scale larger pictures
 * down.
 */
export const modelSide = 2200;
const modelQuality = 88;

/** Huffman tables made for a picture save a tenth of its bytes and take half of the time of writing it. */
const optimiseCoding = false;

/** A JPEG for people, without any metadata. */
export function encodePreview(bitmap: Bitmap): Promise<Uint8Array> {
  return shrunk(bitmap, previewSide)
    .jpeg({ quality: previewQuality, chromaSubsampling: '4:4:4', optimiseCoding })
    .toBuffer();
}

export function encodeForModel(bitmap: Bitmap): Promise<Uint8Array> {
  return shrunk(bitmap, modelSide).jpeg({ quality: modelQuality, optimiseCoding }).toBuffer();
}

function shrunk({ width, height, channels, data }: Bitmap, side: number) {
  return (
    sharp(data, { raw: { width, height, channels } })
      .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
      // grey stays one channel: decoded it is the same, and encoding takes a third
      .toColourspace(channels === 1 ? 'b-w' : 'srgb')
  );
}
